import { escapeControls } from './escapeControls.ts';

/**
 * Makes what a program wrote fit for a terminal, piece by piece: text, line ends, tabs and colours
 * (SGR) stay, every other control character is shown. So nothing moves the cursor, clears the
 * screen, names the window or writes to the clipboard (OSC 52) of whoever looks.
 */
export class TerminalText {
  readonly #decoder = new TextDecoder('utf-8');
  /** The beginning of what the next piece may go on with. */
  #held = '';
  #isColoured = false;

  take(bytes: Uint8Array): string {
    return this.#show(this.#decoder.decode(bytes, { stream: true }), false);
  }

  /** What is left, and the terminal's own colours again. */
  end(): string {
    const rest = this.#show(this.#decoder.decode(), true);
    return this.#isColoured ? `${rest}\x1b[0m` : rest;
  }

  #show(decoded: string, isEnd: boolean): string {
    const text = this.#held + decoded;
    const held = isEnd ? '' : (unfinished.exec(text)?.[0] ?? '');
    this.#held = held;
    const pieces = text.slice(0, text.length - held.length).split(harmless);
    return pieces
      .map((piece, at) => (at % 2 === 0 ? escapeControls(piece) : this.#pass(piece)))
      .join('');
  }

  #pass(piece: string): string {
    this.#isColoured ||= piece.startsWith('\x1b');
    return piece;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unfinished = /(?:\r|\x1b(?:\[[0-9;:]{0,40})?)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const harmless = /(\r\n|[\n\t]|\x1b\[[0-9;:]{0,40}m)/;
