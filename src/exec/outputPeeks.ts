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
      const key = keyOf(launchId, bytesMax);
      const waiting = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, waiting);
      const answer = (output: LiveOutput | null): void => {
        clearTimeout(timer);
        waiting.delete(answer);
        if (waiting.size === 0) this.#waiting.delete(key);
        resolve(output);
      };
      const timer = setTimeout(answer, patienceMs, null);
      timer.unref();
      waiting.add(answer);
      this.#ask(launchId, bytesMax);
    });
  }

  /** The answer to a question for at most so many bytes; it is as good for all who asked that. */
  hear(output: LiveOutput, bytesMax: number): void {
    const waiting = this.#waiting.get(keyOf(output.launchId, bytesMax)) ?? [];
    for (const answer of [...waiting]) answer(output);
  }
}

function keyOf(launchId: string, bytesMax: number): string {
  return `${bytesMax} ${launchId}`;
}
