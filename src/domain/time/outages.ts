/** A stretch of time, epoch milliseconds by the database's clock. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

const spansMax = 16;

/** When a node had no answer from its database: the last so many times. */
export class Outages {
  #spans: readonly Span[] = [];

  get spans(): readonly Span[] {
    return this.#spans;
  }

  note(span: Span): void {
    this.#spans = [...this.#spans, span].slice(-spansMax);
  }
}
