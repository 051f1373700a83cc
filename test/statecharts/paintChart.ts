import type { ChartState } from './chart.ts';
import { framePadding, type PlacedChart, round } from './layoutChart.ts';
import { paintLabel, paintLine } from './paintArrow.ts';
import { paintLegend } from './paintLegend.ts';
import { paintSign, paintState, rectangle } from './paintState.ts';
import { escapeXml } from './paintText.ts';
import { fontStack, paper } from './shades.ts';
import { type Meaning, meaningsOf } from './stateMeaning.ts';

const margin = 8;
const legendGap = 4;
const insetScale = 0.93;
const insetGap = 18;

/** The chart as a whole SVG document: areas first, then lines, then boxes and words on top. */
export function paintChart(placed: PlacedChart, inset: PlacedChart | null = null): string {
  const { chart } = placed;
  const meaning = meaningsOf(chart);
  // Boxes that are actors and not states mean nothing by their colour.
  const legend = paintLegend(placed, new Set(chart.id === 'actors' ? [] : meaning.values()));
  const width = round(placed.width + 2 * margin);
  const height = round(placed.height + legend.height + legendGap + 2 * margin);
  const sheet = { x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin };
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"` +
      ` width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeXml(`The statechart ${chart.id}`)}</title>`,
    `<desc id="description">${escapeXml(describe(chart.root))}</desc>`,
    `<style>text{font-family:${fontStack}}` +
      '.line{fill:none;stroke-width:1.6}' +
      '.glyph{fill:none;stroke:#3d4756;stroke-width:1.4;stroke-linecap:round;' +
      'stroke-linejoin:round}' +
      '.rule{stroke:#1f2733;stroke-opacity:.14}</style>',
    rectangle(sheet, 18, `fill="${paper.fill}" stroke="${paper.line}" stroke-width="1.5"`),
    `<g transform="translate(${margin} ${margin})">`,
    ...paintBody(placed, meaning),
    ...(inset === null ? [] : paintInset(placed, inset)),
    `<g transform="translate(0 ${placed.height + legendGap})">`,
    ...legend.lines,
    '</g>',
    '</g>',
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

function paintBody(placed: PlacedChart, meaning: ReadonlyMap<string, Meaning>): string[] {
  const meaningOf = (id: string) => meaning.get(id);
  const areas = placed.states.filter(({ state }) => state.states.length > 0);
  const leaves = placed.states.filter(({ state }) => state.states.length === 0);
  return [
    ...areas.flatMap((area) => paintState(area, meaningOf(area.state.id) ?? null)),
    ...placed.arrows.flatMap((arrow) => paintLine(arrow, meaningOf(arrow.to))),
    ...leaves.flatMap((leaf) => paintState(leaf, meaningOf(leaf.state.id) ?? null)),
    ...placed.signs.flatMap(paintSign),
    ...placed.arrows.flatMap((arrow) => paintLabel(arrow, meaningOf(arrow.to))),
  ];
}

/** How tall a chart shown inside another one is, the space below it included. */
export function insetHeight(inset: PlacedChart): number {
  return round(inset.height * insetScale) + insetGap;
}

/** A small chart in the headroom of a larger one. */
function paintInset(placed: PlacedChart, inset: PlacedChart): string[] {
  const header = placed.states[0]?.block.height ?? 0;
  const move = `translate(${framePadding} ${header + 44}) scale(${insetScale})`;
  const panel = { x: 0, y: 0, width: inset.width, height: inset.height };
  return [
    `<g transform="${move}">`,
    rectangle(panel, 18, `fill="${paper.label}" stroke="${paper.line}" stroke-width="1.5"`),
    ...paintBody(inset, meaningsOf(inset.chart)),
    '</g>',
  ];
}

/** For those who hear the drawing: what it is, and each state with its sentence. */
function describe(root: ChartState): string {
  const sentences: string[] = [root.description];
  const visit = (state: ChartState, path: string): void => {
    const name = path === '' ? state.name : `${path}.${state.name}`;
    sentences.push(`${name}: ${state.description}`);
    for (const child of state.states) visit(child, name);
  };
  for (const child of root.states) visit(child, '');
  return sentences.join(' ');
}
