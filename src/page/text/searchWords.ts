/** What a search of jobs finds by a word before it, besides by their names: `tag:nightly`. */
const words = ['tag', 'group'] as const;
const pattern = new RegExp(`(^|\\s)(${words.join('|')}):(\\S+)(?=\\s|$)`, 'g');
const unfinished = new RegExp(`(^|\\s)(${words.join('|')}):\\S*$`);

/** Whether such a word is being typed: a part of a tag is none. */
export function isWordTyped(text: string): boolean {
  return unfinished.test(text);
}

/** The text without such words, and what they say, beside what was chosen before. */
export function readSearch(text: string, query: URLSearchParams) {
  const found = [...text.matchAll(pattern)];
  const change = words.flatMap((word) => {
    const values = found.flatMap(([, , each, value = '']) => (each === word ? [value] : []));
    return values.length === 0 ? [] : [[word, [...new Set([...query.getAll(word), ...values])]]];
  });
  const rest = found.length === 0 ? text : text.replace(pattern, '').trim();
  return { rest, change: Object.fromEntries(change) as Record<string, readonly string[]> };
}
