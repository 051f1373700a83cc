/** A stretch of time, epoch milliseconds by the database's clock. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

const spansMax = 16;

/** When a node had no answer from its database: the last so many times, and now. */
export class Outages {
  #spans: readonly Span[] = [];
  /** What lasts until now, of a request that is on its way; null: it is not long yet. */
  present: () => Span | null = () => null;

  get spans(): readonly Span[] {
    const present = this.present();
    return present === null ? this.#spans : [...this.#spans, present];
  }

  note(span: Span): void {
    this.#spans = [...this.#spans, span].slice(-spansMax);
  }
}
