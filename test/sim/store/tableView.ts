import type { IndexedRows, OrderedIndex, RowIndex } from './indexedRows.ts';

/** A table as one transaction sees it: what is committed, and over it what itself has written. */
export class TableView<K, R> {
  readonly #committed: Map<K, R> | IndexedRows<K, R>;
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

  /** The rows that have the value in an index of the table. */
  *rowsBy<V>(index: RowIndex<K, R, V>, value: V): Generator<R> {
    for (const [key, row] of index.entries(value)) if (!this.#written.has(key)) yield row;
    for (const row of this.#written.values()) {
      if (row !== null && index.commonOf(row) === value) yield row;
    }
  }

  /** What is committed up to an instant and not written, in order; then what is written. */
  *rowsUntil(this: TableView<number, R>, index: OrderedIndex<R>, untilMs: number): Generator<R> {
    const own = [...this.#written.values()].filter((row) => {
      const instantMs = row === null ? null : index.instantOf(row);
      return instantMs !== null && instantMs <= untilMs;
    }) as R[];
    own.sort((one, other) => (index.instantOf(one) ?? 0) - (index.instantOf(other) ?? 0));
    let next = 0;
    for (const [key, row] of index.until(untilMs)) {
      if (this.#written.has(key)) continue;
      const instantMs = index.instantOf(row) ?? 0;
      for (let each = own[next]; each !== undefined; each = own[next]) {
        if ((index.instantOf(each) ?? 0) > instantMs) break;
        next += 1;
        yield each;
      }
      yield row;
    }
    yield* own.slice(next);
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
