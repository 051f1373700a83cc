import type { LiveOutput } from '../domain/historyStore.ts';

/** A thread that is so busy that it does not answer within this time is asked again later. */
const patienceMs = 1_000;

/** Questions to the workers for the output of runs so far, answered by message. */
export class OutputPeeks {
  readonly #ask: (launchId: string, bytesMax: number) => void;
  readonly #waiting = new Map<string, Set<(output: LiveOutput | null) => void>>();

  constructor(ask: (launchId: string, bytesMax: number) => void) {
    this.#ask = ask;
  }

  /** Resolves to null when nobody answers: the run has ended meanwhile, or its thread is busy. */
  peek(launchId: string, bytesMax: number): Promise<LiveOutput | null> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(launchId) ?? new Set();
      this.#waiting.set(launchId, waiting);
      const answer = (output: LiveOutput | null): void => {
        clearTimeout(timer);
        waiting.delete(answer);
        if (waiting.size === 0) this.#waiting.delete(launchId);
        resolve(output);
      };
      const timer = setTimeout(answer, patienceMs, null);
      timer.unref();
      waiting.add(answer);
      this.#ask(launchId, bytesMax);
    });
  }

  hear(output: LiveOutput): void {
    for (const answer of [...(this.#waiting.get(output.launchId) ?? [])]) answer(output);
  }
}
