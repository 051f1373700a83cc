interface Page {
  readonly items: readonly unknown[];
  /** Where the next one begins; null: this is the last. */
  readonly next: string | null;
}

/** The first pages of a list, as one; what else a page says is that of the last. */
export async function readPages<Read extends Page>(
  count: number,
  read: (after: string | undefined) => Promise<Read>,
): Promise<Read> {
  let joined = await read(undefined);
  for (let page = 1; page < count && joined.next !== null; page += 1) {
    const more = await read(joined.next);
    joined = { ...more, items: [...joined.items, ...more.items] };
  }
  return joined;
}

/**
 * Rows of a list whose pages may be short, or empty, before the last one: the first so many, or
 * those that so many requests have found.
 */
export async function readRows<Read extends Page>(
  rowsMin: number,
  read: (after: string | undefined) => Promise<Read>,
): Promise<Read> {
  let joined = await read(undefined);
  for (let asked = 1; asked < requestsMax && joined.next !== null; asked += 1) {
    if (joined.items.length >= rowsMin) break;
    const more = await read(joined.next);
    joined = { ...more, items: [...joined.items, ...more.items] };
  }
  return joined;
}

const requestsMax = 10;
