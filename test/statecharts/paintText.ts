import type { Box, Point } from './box.ts';
import { colour, shades } from './shades.ts';
import type { Meaning } from './stateMeaning.ts';
import { type Glyph, type Row, rowHeight, type TextBlock, textIndent } from './textBlock.ts';

/** A block of text with its top left corner at the given point. */
export function paintText(block: TextBlock, at: Point, ruleTo: Box | null = null): string[] {
  const lines: string[] = [];
  let y = at.y;
  for (const row of block.rows) {
    if (row.rule && ruleTo !== null) {
      const ruleY = number(y + row.gap / 2);
      const [from, to] = [number(ruleTo.x), number(ruleTo.x + ruleTo.width)];
      lines.push(`<path class="rule" d="M${from} ${ruleY}H${to}"/>`);
    }
    y += row.gap;
    lines.push(...paintRow(row, at.x, y + rowHeight(row) * 0.73));
    y += rowHeight(row);
  }
  return lines;
}

function paintRow(row: Row, x: number, baseline: number): string[] {
  const lines: string[] = [];
  if (row.sign !== null) lines.push(paintRowSign(row.sign, x, baseline, row.size));
  const spans = row.spans.map(({ text, tone, bold }) => {
    const weight = bold ? ' font-weight="600"' : '';
    const spaces = text.length - text.trimStart().length;
    const lead = spaces === 0 ? '' : ` dx="${number(0.35 * spaces)}em"`;
    return `<tspan fill="${colour(tone)}"${weight}${lead}>${escapeXml(text.trim())}</tspan>`;
  });
  const left = number(x + textIndent(row));
  const attributes = `x="${left}" y="${number(baseline)}" font-size="${row.size}"`;
  lines.push(`<text ${attributes}>${spans.join('')}</text>`);
  return lines;
}

/** Signs are drawn, not written: fonts differ in which they have. Each fills a square of 12. */
const glyphPaths: Record<Glyph, string> = {
  clock: 'M6 1A5 5 0 1 1 6 11A5 5 0 1 1 6 1ZM6 3.2V6.2L8.2 7.4',
  check: 'M1.5 6.5L4.6 9.5L10.5 2.8',
  cross: 'M2.2 2.2L9.8 9.8M9.8 2.2L2.2 9.8',
  bolt: 'M7 1L3 7H6L5 11L9 5H6Z',
  loop: 'M10.3 4.2A4.7 4.7 0 1 0 10.6 7.2M10.6 1.2V4.4H7.4',
};

function paintRowSign(sign: Glyph | Meaning, x: number, baseline: number, size: number): string {
  if (sign in shades) return paintSwatch(sign as Meaning, x, baseline);
  return paintGlyph(sign as Glyph, x, baseline, size);
}

function paintSwatch(meaning: Meaning, x: number, baseline: number): string {
  const colours = `fill="${colour(`${meaning}-fill`)}" stroke="${colour(`${meaning}-line`)}"`;
  const at = `x="${number(x)}" y="${number(baseline - 8.5)}" width="11" height="9" rx="3"`;
  return `<rect ${at} ${colours} stroke-width="1.2"/>`;
}

function paintGlyph(glyph: Glyph, x: number, baseline: number, size: number): string {
  const scale = number((size * 0.9) / 12);
  const y = number(baseline - size * 0.82);
  const move = `translate(${number(x)} ${y}) scale(${scale})`;
  return `<path class="glyph" transform="${move}" d="${glyphPaths[glyph]}"/>`;
}

/** Two decimals at most, so that the same drawing is the same bytes. */
export function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function escapeXml(text: string): string {
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}
