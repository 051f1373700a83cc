import { textWidth } from '../table/textWidth.ts';

/** A text all in one style: what stands before and behind it takes no room. */
export interface Piece {
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

/** Breaks styled text into lines of at most `width` characters; a longer word has its own line. */
export function wrapWords(pieces: readonly Piece[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let length = 0;
  for (const word of wordsIn(pieces)) {
    const wordLength = textWidth(word.map(({ text }) => text).join(''));
    const shown = word.map(({ text, before, after }) => `${before}${text}${after}`).join('');
    if (length > 0 && length + 1 + wordLength > width) {
      lines.push(line);
      [line, length] = [shown, wordLength];
    } else {
      line = length === 0 ? shown : `${line} ${shown}`;
      length += length === 0 ? wordLength : wordLength + 1;
    }
  }
  return length === 0 ? lines : [...lines, line];
}

/** The words of all pieces: one may begin in one piece and end in the next. */
function wordsIn(pieces: readonly Piece[]): Piece[][] {
  const words: Piece[][] = [[]];
  for (const piece of pieces) {
    for (const [at, text] of piece.text.split(/\s+/).entries()) {
      if (at > 0) words.push([]);
      if (text !== '') words.at(-1)?.push({ ...piece, text });
    }
  }
  return words.filter((word) => word.length > 0);
}
