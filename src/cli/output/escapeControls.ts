/**
 * Makes foreign text safe to print to a terminal: control characters (escape sequences that rewrite
 * the screen or the clipboard begin with one) and those that turn the direction of writing are
 * shown as \t, \x1b or \u202e.
 */
export function escapeControls(text: string): string {
  return text.replace(dangerous, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const short = shortForms[character];
    if (short !== undefined) return short;
    return code < 256
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** As a person would write them. */
const shortForms: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** JSON with the same characters escaped the way that JSON allows anywhere in a string. */
export function safeJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent);
  const encode = (character: string): string =>
    `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  return json.replace(dangerousInJson, encode);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const dangerous = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** JSON.stringify has escaped those below U+0020; what is left of them is its own layout. */
const dangerousInJson = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
