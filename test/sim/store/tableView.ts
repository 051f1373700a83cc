/** A table as one transaction sees it: what is committed, and over it what itself has written. */
export class TableView<K, R> {
  readonly #committed: Map<K, R>;
  readonly #written = new Map<K, R | null>();

  constructor(committed: Map<K, R>) {
    this.#committed = committed;
  }

  get(key: K): R | undefined {
    const own = this.#written.get(key);
    return own === undefined ? this.#committed.get(key) : (own ?? undefined);
  }

  put(key: K, row: R): void {
    this.#written.set(key, row);
  }

  remove(key: K): void {
    this.#written.set(key, null);
  }

  /** The rows in the order of their keys' first writing. */
  rows(): Iterable<R> {
    if (this.#written.size === 0) return this.#committed.values();
    const seen = new Map<K, R | null>(this.#committed);
    for (const [key, row] of this.#written) seen.set(key, row);
    return [...seen.values()].filter((row) => row !== null);
  }

  /** Makes what was written visible to everybody. */
  publish(): void {
    for (const [key, row] of this.#written) {
      if (row === null) this.#committed.delete(key);
      else this.#committed.set(key, row);
    }
    this.#written.clear();
  }
}
