/**
 * How many columns of a terminal a text takes: two for a wide character (Chinese, Japanese,
 * Korean, emoji), none for a mark that combines with the one before it.
 */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of charactersOf(text)) width += widthOf(segment);
  return width;
}

/** The beginning of a text, with an ellipsis where it does not fit into a width. */
export function cutToWidth(text: string, widthMax: number): string {
  if (textWidth(text) <= widthMax) return text;
  let [kept, width] = ['', 0];
  for (const { segment } of charactersOf(text)) {
    width += widthOf(segment);
    if (width > widthMax - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

const plain = /^[\x20-\x7e]*$/;

/** The data of the segmenter takes long to load, and few texts need it. */
let segmenter: Intl.Segmenter | undefined;

/** Piece by piece: what the segmenter takes grows with the square of a text's length. */
function* charactersOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter();
  for (const [piece] of text.matchAll(pieces)) yield* segmenter.segment(piece);
}

const pieces = /.{1,4096}/gsu;

function widthOf(character: string): number {
  if (invisible.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

const invisible = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
/** By script and by block: East Asian width itself is no property of regular expressions. */
const scripts = String.raw`\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}`;
const blocks = String.raw`\u3000-\u303e\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6`;
const wide = new RegExp(`^[${scripts}${blocks}]|\\p{Emoji_Presentation}|\\ufe0f`, 'u');
