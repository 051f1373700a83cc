/** An index over a table: kept by every write of a row, as a database keeps its own. */
interface KeptIndex<K, R> {
  add(key: K, row: R): void;
  remove(key: K, row: R): void;
  replace(key: K, before: R, row: R): void;
}

/** A table with indexes, so that a look costs what it finds and not what the table has. */
export class IndexedRows<K, R> extends Map<K, R> {
  readonly #indexes: KeptIndex<K, R>[] = [];

  /** Keeps an index of the table, which is empty still; rows of the value null are not in it. */
  index<V>(commonOf: (row: R) => V | null): RowIndex<K, R, V> {
    const index = new RowIndex<K, R, V>(commonOf);
    this.#indexes.push(index);
    return index;
  }

  /** The same in the order of an instant. */
  order(this: IndexedRows<number, R>, instantOf: (row: R) => number | null): OrderedIndex<R> {
    const index = new OrderedIndex<R>(instantOf);
    this.#indexes.push(index);
    return index;
  }

  /** The same for each value that rows have in common. */
  orderEach<V>(
    this: IndexedRows<number, R>,
    commonOf: (row: R) => V,
    instantOf: (row: R) => number | null,
  ): OrderedGroups<R, V> {
    const index = new OrderedGroups<R, V>(commonOf, instantOf);
    this.#indexes.push(index);
    return index;
  }

  override set(key: K, row: R): this {
    const before = super.get(key);
    super.set(key, row);
    for (const index of this.#indexes) {
      if (before === undefined) index.add(key, row);
      else index.replace(key, before, row);
    }
    return this;
  }

  override delete(key: K): boolean {
    const before = super.get(key);
    if (before === undefined) return false;
    for (const index of this.#indexes) index.remove(key, before);
    return super.delete(key);
  }
}

/** The rows by something that they have in common. */
export class RowIndex<K, R, V> implements KeptIndex<K, R> {
  readonly commonOf: (row: R) => V | null;
  readonly #groups = new Map<V, Map<K, R>>();

  constructor(commonOf: (row: R) => V | null) {
    this.commonOf = commonOf;
  }

  /** The rows that have the value, by their keys. */
  entries(value: V): Iterable<readonly [K, R]> {
    return this.#groups.get(value) ?? [];
  }

  rows(value: V): Iterable<R> {
    return this.#groups.get(value)?.values() ?? [];
  }

  values(): Iterable<V> {
    return this.#groups.keys();
  }

  add(key: K, row: R): void {
    const value = this.commonOf(row);
    if (value === null) return;
    const group = this.#groups.get(value);
    if (group === undefined) this.#groups.set(value, new Map([[key, row]]));
    else group.set(key, row);
  }

  remove(key: K, row: R): void {
    const value = this.commonOf(row);
    const group = value === null ? undefined : this.#groups.get(value);
    if (value === null || group === undefined) return;
    group.delete(key);
    if (group.size === 0) this.#groups.delete(value);
  }

  /** A row that keeps its value keeps its place. */
  replace(key: K, before: R, row: R): void {
    if (this.commonOf(before) !== this.commonOf(row)) this.remove(key, before);
    this.add(key, row);
  }
}

const bucketMs = 1_000;

/** The rows in the order of an instant that they have, and of their keys within one. */
export class OrderedIndex<R> implements KeptIndex<number, R> {
  readonly instantOf: (row: R) => number | null;
  /** By the second; a list is put in order when it is read. */
  readonly #buckets = new Map<number, { rows: Map<number, R>; sorted: [number, R][] | null }>();
  #seconds: number[] | null = [];

  constructor(instantOf: (row: R) => number | null) {
    this.instantOf = instantOf;
  }

  add(key: number, row: R): void {
    const instantMs = this.instantOf(row);
    if (instantMs === null) return;
    const second = Math.floor(instantMs / bucketMs);
    const bucket = this.#buckets.get(second);
    if (bucket === undefined) {
      this.#buckets.set(second, { rows: new Map([[key, row]]), sorted: null });
      this.#seconds = null;
    } else {
      bucket.rows.set(key, row);
      bucket.sorted = null;
    }
  }

  remove(key: number, row: R): void {
    const instantMs = this.instantOf(row);
    if (instantMs === null) return;
    const second = Math.floor(instantMs / bucketMs);
    const bucket = this.#buckets.get(second);
    if (bucket === undefined) return;
    bucket.rows.delete(key);
    bucket.sorted = null;
    if (bucket.rows.size > 0) return;
    this.#buckets.delete(second);
    this.#seconds = null;
  }

  replace(key: number, before: R, row: R): void {
    this.remove(key, before);
    this.add(key, row);
  }

  /** The rows up to an instant, the earliest first. */
  *until(untilMs: number): Generator<readonly [number, R]> {
    this.#seconds ??= [...this.#buckets.keys()].sort((one, other) => one - other);
    for (const second of this.#seconds) {
      if (second * bucketMs > untilMs) return;
      const bucket = this.#buckets.get(second);
      if (bucket === undefined) continue;
      bucket.sorted ??= [...bucket.rows].sort(
        ([key, row], [otherKey, other]) =>
          (this.instantOf(row) ?? 0) - (this.instantOf(other) ?? 0) || key - otherKey,
      );
      for (const entry of bucket.sorted) {
        if ((this.instantOf(entry[1]) ?? 0) > untilMs) return;
        yield entry;
      }
    }
  }
}

/** The rows in the order of an instant, by something that they have in common. */
export class OrderedGroups<R, V> implements KeptIndex<number, R> {
  readonly #commonOf: (row: R) => V;
  readonly #instantOf: (row: R) => number | null;
  readonly #groups = new Map<V, OrderedIndex<R>>();

  constructor(commonOf: (row: R) => V, instantOf: (row: R) => number | null) {
    this.#commonOf = commonOf;
    this.#instantOf = instantOf;
  }

  /** Rows of the value; of others, too, it says that they are not in it. */
  group(value: V): OrderedIndex<R> {
    const known = this.#groups.get(value);
    if (known !== undefined) return known;
    const instantOf = (row: R) => (this.#commonOf(row) === value ? this.#instantOf(row) : null);
    const group = new OrderedIndex<R>(instantOf);
    this.#groups.set(value, group);
    return group;
  }

  add(key: number, row: R): void {
    this.group(this.#commonOf(row)).add(key, row);
  }

  remove(key: number, row: R): void {
    this.group(this.#commonOf(row)).remove(key, row);
  }

  replace(key: number, before: R, row: R): void {
    this.remove(key, before);
    this.add(key, row);
  }
}
