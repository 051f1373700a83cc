import type { LiveOutput } from '../../domain/commit/historyStore.ts';
import type { ControlMessage, WorkerMessage } from './workerSetup.ts';

/** A thread that is so busy that it does not answer within this time is asked again later. */
const patienceMs = 1_000;

/** Questions to the workers for the output of runs so far, answered by message. */
export class OutputPeeks {
  readonly #send: (message: ControlMessage) => void;
  readonly #waiting = new Map<number, (output: LiveOutput | null) => void>();
  #lastQuestion = 0;

  constructor(send: (message: ControlMessage) => void) {
    this.#send = send;
  }

  /** Resolves to null when nobody answers: the run has ended meanwhile, or its thread is busy. */
  peek(launchId: string, bytesMax: number): Promise<LiveOutput | null> {
    this.#lastQuestion += 1;
    const question = this.#lastQuestion;
    return new Promise((resolve) => {
      const answer = (output: LiveOutput | null): void => {
        clearTimeout(timer);
        this.#waiting.delete(question);
        resolve(output);
      };
      const timer = setTimeout(answer, patienceMs, null);
      timer.unref();
      this.#waiting.set(question, answer);
      this.#send({ kind: 'run.peek', launchId, bytesMax, question });
    });
  }

  handle(message: WorkerMessage): void {
    if (message.kind === 'run.output') this.#waiting.get(message.question)?.(message.live);
  }
}
