/** The epoch milliseconds of an instant in an answer. */
export function instantMs(text: string): number {
  return Date.parse(text);
}

/** The same of one that may be absent. */
export function optionalMs(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}
