import type { ArrowLabel, ChartState } from './chart.ts';
import type { PlacedChart } from './layoutChart.ts';
import { measureText } from './measureText.ts';
import { escapeXml, number, paintGlyph } from './paintText.ts';
import { shades, tones } from './shades.ts';
import { type Meaning, meanings } from './stateMeaning.ts';
import type { Glyph } from './textBlock.ts';

const size = 11;
const rowHeight = 20;
const side = 28;
const gap = 18;
const signWidth = 20;

interface Entry {
  readonly says: string;
  readonly paint: (x: number, baseline: number) => string;
}

/** What the colours and signs of this chart say, in as many rows as its width needs. */
export function paintLegend(
  placed: PlacedChart,
  used: ReadonlySet<Meaning>,
): { lines: string[]; height: number } {
  const colours = meanings.filter((meaning) => used.has(meaning)).map(colourEntry);
  const signs = [...glyphsOf(placed)].map(([glyph, says]) => glyphEntry(glyph, says));
  const lines: string[] = [];
  let y = size;
  for (const entries of [colours, signs]) {
    let x = side;
    for (const entry of entries) {
      const width = signWidth + measureText(entry.says, { size, bold: false });
      if (x > side && x + width > placed.width - side) {
        x = side;
        y += rowHeight;
      }
      lines.push(entry.paint(x, y));
      const text = `x="${number(x + signWidth)}" y="${number(y)}" font-size="${size}"`;
      lines.push(`<text ${text} fill="${tones.muted}">${escapeXml(entry.says)}</text>`);
      x += width + gap;
    }
    if (entries.length > 0) y += rowHeight;
  }
  return { lines, height: y + 4 };
}

function colourEntry(meaning: Meaning): Entry {
  const { fill, line, says } = shades[meaning];
  return {
    says,
    paint: (x, y) =>
      `<rect x="${number(x)}" y="${number(y - 10)}" width="14" height="12" rx="4"` +
      ` fill="${fill}" stroke="${line}" stroke-width="1.4"/>`,
  };
}

function glyphEntry(glyph: Glyph, says: string): Entry {
  return { says, paint: (x, y) => paintGlyph(glyph, x + 1, y, size + 1) };
}

const glyphTexts: readonly (readonly [Glyph, string])[] = [
  ['clock', 'after a time'],
  ['check', 'it is done'],
  ['cross', 'it failed'],
  ['bolt', 'at once'],
  ['loop', 'runs while in the state'],
  ['enter', 'on entry'],
  ['leave', 'on exit'],
];

function glyphsOf({ chart }: PlacedChart): (readonly [Glyph, string])[] {
  const used = new Set<Glyph>();
  const addLabel = ({ sign }: ArrowLabel): void => {
    const glyph = { event: null, after: 'clock', done: 'check', error: 'cross', always: 'bolt' }[
      sign
    ];
    if (glyph !== null) used.add(glyph as Glyph);
  };
  const addState = (state: ChartState): void => {
    if (state.invokes.length > 0) used.add('loop');
    if (state.entry.length > 0) used.add('enter');
    if (state.exit.length > 0) used.add('leave');
    state.inner.forEach(addLabel);
    state.states.forEach(addState);
  };
  addState(chart.root);
  for (const arrow of chart.arrows) arrow.labels.forEach(addLabel);
  return glyphTexts.filter(([glyph]) => used.has(glyph));
}
