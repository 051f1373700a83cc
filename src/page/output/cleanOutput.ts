import { showControls } from '../text/showControls.ts';

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what is looked for
/** Links of terminals: `ESC ] 8 ; … ; URL ST`. */
const links = /\u001b\]8;[^;\u0007\u001b]*;([^\u0007\u001b]*)(?:\u0007|\u001b\\)/g;
/** Titles, clipboards, device controls: whatever a program may ask of a terminal. */
const commands = /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)/g;
/** Moves and modes of the cursor: all that begins with `ESC [` but colours, which end with m. */
const moves = /\u001b\[[0-9;:<=>?]*[ -/]*[@-ln-~]/g;
const otherEscapes = /\u001b(?!\[[0-9;]*m)[ -/]*[0-Z\\^-~]?/g;
const colours = /(\u001b\[[0-9;]*m)/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: they are what is looked for

/**
 * A line of output with nothing in it but characters to be read and colours: what would steer a
 * terminal is dropped, what would turn or hide text becomes visible, and the target of a link
 * stands beside it. What a carriage return wrote over is gone, as on a terminal.
 */
export function cleanLine(line: string): string {
  const shown = line.replace(/\r$/, '');
  const last = shown.slice(shown.lastIndexOf('\r') + 1);
  const plain = last
    .replace(links, (_, url: string) => (url === '' ? '' : `⟨${url}⟩ `))
    .replace(commands, '')
    .replace(moves, '')
    .replace(otherEscapes, '');
  // Every second piece is a colour.
  return plain
    .split(colours)
    .map((piece, place) => (place % 2 === 1 ? piece : showControls(piece)))
    .join('');
}

/** The same without its colours. */
export function plainLine(line: string): string {
  return cleanLine(line)
    .split(colours)
    .filter((_, place) => place % 2 === 0)
    .join('');
}
