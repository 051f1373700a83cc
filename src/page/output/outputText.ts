import { signal } from '@preact/signals';
import Anser from 'anser';
import { cleanLine, plainLine } from './cleanOutput.ts';

/** Text of one look. */
export interface Piece {
  readonly text: string;
  readonly classes: string;
  readonly colour: string | null;
  readonly background: string | null;
}

/** So many lines are drawn together: the browser leaves out those that cannot be seen. */
const blockLines = 100;
/** A longer line is broken, so that one line is not all the browser has to do. */
const lineCharacters = 4_000;
/** More than the node keeps of a run at its default; of more, the end is shown. */
const linesMax = 200_000;

/** A line that is longer, and has not ended, is broken where it is. */
const tailMax = 64_000;

export type Block = readonly Piece[];

/** An output as it comes, by lines; blocks that are whole never change. */
export class OutputText {
  /** Counts changes, for who draws it. */
  readonly version = signal(0);
  readonly blocks: Block[] = [];
  /** Lines that are not shown any more, as there are too many. */
  droppedLines = 0;
  lines = 0;
  #open: Piece[] = [];
  #openLines = 0;
  #tail = '';
  readonly #decoder = new TextDecoder();
  readonly #ansi = new Anser();

  /** Takes the next bytes. */
  add(bytes: Uint8Array): void {
    // Only what is new is looked through: a line may never end.
    const lines = this.#decoder.decode(bytes, { stream: true }).split('\n');
    lines[0] = this.#tail + lines[0];
    this.#tail = presentOf(lines.pop() ?? '');
    if (this.#tail.length > tailMax) {
      lines.push(this.#tail);
      this.#tail = '';
    }
    for (const line of lines) this.#addLine(line);
    this.version.value += 1;
  }

  /** What is not whole yet: lines of the last block, and the beginning of a line. */
  get open(): Block {
    if (this.#tail === '') return this.#open;
    const tail = plainLine(this.#tail.slice(0, lineCharacters));
    return [...this.#open, { text: tail, classes: '', colour: null, background: null }];
  }

  get isEmpty(): boolean {
    return this.lines === 0 && this.#tail === '';
  }

  #addLine(line: string): void {
    const clean = cleanLine(line);
    for (let from = 0; from === 0 || from < clean.length; from += lineCharacters) {
      this.#open.push(...this.#piecesOf(`${clean.slice(from, from + lineCharacters)}\n`));
    }
    this.lines += 1;
    this.#openLines += 1 + Math.floor(clean.length / lineCharacters);
    if (this.#openLines < blockLines) return;
    this.blocks.push(joinAlike(this.#open));
    this.#open = [];
    this.#openLines = 0;
    if (this.blocks.length * blockLines <= linesMax) return;
    this.blocks.shift();
    this.droppedLines += blockLines;
  }

  #piecesOf(text: string): Piece[] {
    if (!text.includes('\u001b') && !this.#isColoured) return [plainPiece(text)];
    const found = this.#ansi.ansiToJson(text, { use_classes: true, remove_empty: true });
    const pieces = found.map(pieceOf);
    this.#isColoured = pieces.at(-1)?.classes !== '' || pieces.at(-1)?.colour !== null;
    return pieces;
  }

  /** A colour of the line before goes on. */
  #isColoured = false;
}

/** What a carriage return wrote over is forgotten: a progress bar may go on for ever. */
function presentOf(tail: string): string {
  return tail.slice(tail.lastIndexOf('\r', tail.length - 2) + 1);
}

function plainPiece(text: string): Piece {
  return { text, classes: '', colour: null, background: null };
}

type AnsiPiece = ReturnType<Anser['ansiToJson']>[number];

function pieceOf({ bg, bg_truecolor, content, decorations, fg, fg_truecolor }: AnsiPiece): Piece {
  const basic = [fg && named(fg, ''), bg && named(bg, 'on-')].filter(Boolean);
  return {
    text: content,
    classes: [...basic, ...decorations.map((name) => `ansi-${name}`)].join(' '),
    colour: rgbOf(fg, fg_truecolor),
    background: rgbOf(bg, bg_truecolor),
  };
}

/** One of the sixteen that a theme has its own shades of. */
function named(colour: string, prefix: string): string {
  return /^ansi-(?:bright-)?[a-z]+$/.test(colour) && colour !== 'ansi-truecolor'
    ? `${prefix}${colour}`
    : '';
}

function rgbOf(colour: string | null, truecolour: string | null): string | null {
  if (truecolour && /^\d+, ?\d+, ?\d+$/.test(truecolour)) return `rgb(${truecolour})`;
  const number = Number(/^ansi-palette-(\d+)$/.exec(colour ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return null;
  if (number >= 232) return grey(8 + (number - 232) * 10);
  const cube = Math.max(0, number - 16);
  const levels = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  return `rgb(${levels.map((level) => (level === 0 ? 0 : 55 + level * 40)).join(', ')})`;
}

function grey(level: number): string {
  return `rgb(${level}, ${level}, ${level})`;
}

/** Neighbours of one look are one text, so that most blocks are one text alone. */
function joinAlike(pieces: readonly Piece[]): Block {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const isAlike =
      last !== undefined &&
      last.classes === piece.classes &&
      last.colour === piece.colour &&
      last.background === piece.background;
    if (isAlike) joined[joined.length - 1] = { ...last, text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
}
