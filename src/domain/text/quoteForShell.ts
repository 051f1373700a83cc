/** A text as one word for a POSIX shell: in single quotes, whatever is in it. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
