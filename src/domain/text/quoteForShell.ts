/** A text as one word for a POSIX shell: in single quotes, whatever is in it. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same, bare where nothing in it means anything to a shell. */
export function shellWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : quoteForShell(text);
}
