/** What is wrong with a text that is stored and given to programs, or null. */
export function checkText(text: string, bytesMax = Number.POSITIVE_INFINITY): string | null {
  if (text.includes('\0')) return 'has a NUL character in it';
  if (/\p{Surrogate}/u.test(text)) return 'is not valid Unicode';
  const bytes = new TextEncoder().encode(text).length;
  return bytes > bytesMax ? `has ${bytes} bytes; ${bytesMax} are allowed` : null;
}
