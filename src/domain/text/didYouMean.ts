/**
 * A question for the end of a message about a name that is not there: ` Did you mean "backup"?`;
 * empty when none of the names is near it.
 * @param show how a name is written; null leaves it out
 */
export function didYouMean(
  given: string,
  names: Iterable<string>,
  show: (name: string) => string = JSON.stringify,
): string {
  const near = nearNames(given, names).map(show);
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
}

/**
 * The names nearest to the one given, three at most: those that it is short for, then those that
 * differ least, none in more than a third of it.
 */
export function nearNames(given: string, names: Iterable<string>): string[] {
  const wanted = given.toLowerCase();
  const all = [...new Set(names)];
  const long = all.filter((name) => isShortFor(wanted, name.toLowerCase())).sort();
  return [...new Set([...long, ...misspelt(wanted, all)])].slice(0, namesMax);
}

/** `cmd` is short for `command`, and `desc` for `description`. */
function isShortFor(text: string, name: string): boolean {
  if (text.length < lettersMin || text.length >= name.length) return false;
  if (name.startsWith(text)) return true;
  if (text[0] !== name[0] || text.at(-1) !== name.at(-1) || /[aeiou]/.test(text)) return false;
  let at = 0;
  for (const letter of name) if (letter === text[at]) at += 1;
  return at === text.length;
}

/** The names that differ least from the one wanted. */
function misspelt(wanted: string, names: readonly string[]): string[] {
  let nearest = Math.min(editsMax, Math.max(1, Math.floor(wanted.length / 3)));
  let found: string[] = [];
  for (const name of names) {
    const edits = editsBetween(wanted, name.toLowerCase(), nearest);
    if (edits > nearest || edits >= name.length) continue;
    if (edits < nearest) found = [];
    nearest = edits;
    found.push(name);
  }
  return found.sort();
}

const editsMax = 3;
const namesMax = 3;
/** Fewer are short for too much. */
const lettersMin = 3;

/**
 * How many letters have to be put in, taken out, replaced or swapped with their neighbour (optimal
 * string alignment); more than `most` when it is more than that.
 */
function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const edits = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swapped = isSwap ? (beforeLast[column - 2] ?? 0) + 1 : replaced;
      const moved = Math.min(last[column] ?? 0, edits[column - 1] ?? 0) + 1;
      edits.push(Math.min(replaced, swapped, moved));
    }
    if (Math.min(...edits) > most) return most + 1;
    [beforeLast, last] = [last, edits];
  }
  return last[other.length] ?? 0;
}
