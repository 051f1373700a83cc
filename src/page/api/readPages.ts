interface Page {
  readonly items: readonly unknown[];
  /** Where the next one begins; null: this is the last. */
  readonly next: string | null;
}

/** The first pages of a list, as one; what else a page says is that of the last. */
export function readPages<Read extends Page>(
  count: number,
  read: (after: string | undefined) => Promise<Read>,
): Promise<Read> {
  return readUntil(read, (_, pages) => pages >= count);
}

/**
 * Rows of a list whose pages may be short, or empty, before the last one: the first so many, or
 * those that so many requests have found.
 */
export function readRows<Read extends Page>(
  rowsMin: number,
  read: (after: string | undefined) => Promise<Read>,
): Promise<Read> {
  return readUntil(read, ({ items }, pages) => items.length >= rowsMin || pages >= requestsMax);
}

const requestsMax = 10;

async function readUntil<Read extends Page>(
  read: (after: string | undefined) => Promise<Read>,
  isEnough: (joined: Read, pages: number) => boolean,
): Promise<Read> {
  let joined = await read(undefined);
  for (let pages = 1; joined.next !== null && !isEnough(joined, pages); pages += 1) {
    const more = await read(joined.next);
    joined = { ...more, items: [...joined.items, ...more.items] };
  }
  return joined;
}
