import type { LiveOutput } from '../../domain/commit/historyKeep.ts';
import type { ControlMessage, WorkerMessage } from './workerSetup.ts';

/** A thread that does not answer within this time is busy: the next look may have an answer. */
const patienceMs = 1_000;

/** Queries to the workers for the output of runs so far, answered by message. */
export class OutputPeeks {
  readonly #waiting = new Map<number, (output: LiveOutput | null) => void>();
  #lastQuery = 0;

  /** Resolves to null when nobody answers: the run has ended meanwhile, or its thread is busy. */
  async peek(
    launchId: string,
    bytesMax: number,
    send: (message: ControlMessage) => void,
  ): Promise<LiveOutput | null> {
    this.#lastQuery += 1;
    const query = this.#lastQuery;
    const output = await new Promise<LiveOutput | null>((resolve) => {
      setTimeout(resolve, patienceMs, null).unref();
      this.#waiting.set(query, resolve);
      send({ kind: 'run.peek', launchId, bytesMax, query });
    });
    this.#waiting.delete(query);
    return output;
  }

  handle(message: WorkerMessage): void {
    if (message.kind === 'run.output') this.#waiting.get(message.query)?.(message.live);
  }
}
