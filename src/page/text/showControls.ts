/**
 * What steers a terminal or turns the direction of a text, and is no character to be read: a name
 * or an output must not look like another one.
 */
const controls = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text in which such characters can be seen: U+202E becomes `⟨202E⟩`, NUL `␀`. */
export function showControls(text: string): string {
  return text.replace(controls, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `⟨${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** The same of one line: an end of line and a tab become visible, too. */
export function showLine(text: string): string {
  return showControls(text).replace(/[\t\n]/g, (character) => (character === '\t' ? ' ' : '␊'));
}
