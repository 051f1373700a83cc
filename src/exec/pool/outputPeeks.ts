import type { LiveOutput } from '../../domain/commit/historyKeep.ts';
import type { ControlMessage, WorkerMessage } from './workerSetup.ts';

/** A thread that does not answer within this time is busy: the next look may have an answer. */
const patienceMs = 1_000;

/** Queries to the workers for the output of runs so far, answered by message. */
export class OutputPeeks {
  readonly #send: (message: ControlMessage) => void;
  readonly #waiting = new Map<number, (output: LiveOutput | null) => void>();
  #lastQuery = 0;

  constructor(send: (message: ControlMessage) => void) {
    this.#send = send;
  }

  /** Resolves to null when nobody answers: the run has ended meanwhile, or its thread is busy. */
  peek(launchId: string, bytesMax: number): Promise<LiveOutput | null> {
    this.#lastQuery += 1;
    const query = this.#lastQuery;
    return new Promise((resolve) => {
      const answer = (output: LiveOutput | null): void => {
        clearTimeout(timer);
        this.#waiting.delete(query);
        resolve(output);
      };
      const timer = setTimeout(answer, patienceMs, null);
      timer.unref();
      this.#waiting.set(query, answer);
      this.#send({ kind: 'run.peek', launchId, bytesMax, query });
    });
  }

  handle(message: WorkerMessage): void {
    if (message.kind === 'run.output') this.#waiting.get(message.query)?.(message.live);
  }
}
