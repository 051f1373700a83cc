/** The first texts of a list, and how many there are besides: `a, b, c and 4 more`. */
export function listed(texts: readonly (string | number)[], shown = 3, separator = ', '): string {
  const more = texts.length - shown;
  const first = texts.slice(0, shown).join(separator);
  return more > 0 ? `${first} and ${more} more` : first;
}
