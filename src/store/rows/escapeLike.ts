/** A text as `LIKE` finds it, with nothing in it that stands for something else. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
