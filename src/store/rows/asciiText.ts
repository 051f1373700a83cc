/**
 * What a column of ASCII is compared with. A text with other characters is in no such column, but
 * to the server the comparison is an error (1267, illegal mix of collations) in place of a no; the
 * empty text, which no name and no id is, is just not there.
 */
export function asciiText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : '';
}
