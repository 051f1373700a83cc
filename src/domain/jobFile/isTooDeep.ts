/**
 * So many brackets may stand open in a text, and so many lists begin in one line. A file of jobs
 * needs five; what is more is in texts, such as commands.
 */
const openMax = 1_000;
const marksMax = 100;

/**
 * Whether a text of YAML would be nested more deeply than its reader bears. That one calls itself
 * for each level: a quarter of a megabyte of `[` does not end in an error that could be caught, but
 * ends the process. The look is a rough one, since quotes are not told apart, and costs one pass.
 */
export function isTooDeep(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '[' || character === '{') open += 1;
    else if ((character === ']' || character === '}') && open > 0) open -= 1;
    if (open > openMax) return true;
  }
  return text.split('\n').some((line) => marksOf(line) > marksMax);
}

/** How many marks of lists and keys, `-`, `?` and `:`, begin a line: each is a level. */
function marksOf(line: string): number {
  let marks = 0;
  for (const word of line.split(/[ \t\r]+/)) {
    if (word === '-' || word === '?' || word === ':') marks += 1;
    else if (word !== '') break;
  }
  return marks;
}
