/**
 * Keys for the rows that are drawn of a long list. A row stays with what it shows for as long as
 * that is drawn; then it is given to what comes, since to change a few words of a row takes a
 * fraction of the work that a new one is.
 */
export class RowKeys {
  #keys = new Map<string, number>();
  #made = 0;

  /**
   * @param names what is drawn now, each once
   * @param held the key of a row that is given to nothing else: the focus is in it
   * @returns the key of each
   */
  keysOf(names: readonly string[], held: number | null): readonly number[] {
    const before = this.#keys;
    const drawn = new Set(names);
    const isFree = ([name, key]: [string, number]) => !drawn.has(name) && key !== held;
    const free = [...before].filter(isFree).map(([, key]) => key);
    let given = 0;
    const keyOf = (name: string) => before.get(name) ?? free[given++] ?? this.#made++;
    this.#keys = new Map([...drawn].map((name) => [name, keyOf(name)]));
    return names.map((name) => this.#keys.get(name) ?? 0);
  }
}
