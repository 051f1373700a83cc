import type { ChartState } from './chart.ts';
import { type PlacedChart, sheetPadding } from './layoutChart.ts';
import { paintLabel, paintLine } from './paintArrow.ts';
import { paintSign, paintState, rectangle } from './paintState.ts';
import { escapeXml, paintText } from './paintText.ts';
import { colour, colourProperties, fontStack, strokeRules } from './shades.ts';
import { type Meaning, meaningsOf } from './stateMeaning.ts';

/** The chart as a whole SVG document: areas first, then lines, then boxes and words on top. */
export function paintChart(placed: PlacedChart): string {
  const { chart, notes, sheet } = placed;
  const { height, width } = sheet;
  const edge = { x: 1, y: 1, width: width - 2, height: height - 2 };
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"` +
      ` width="${width}" height="${height}" role="img"` +
      ` aria-labelledby="${chart.id}-title ${chart.id}-description">`,
    `<title id="${chart.id}-title">${escapeXml(`The statechart ${chart.id}`)}</title>`,
    `<desc id="${chart.id}-description">${escapeXml(describe(chart.root))}</desc>`,
    `<style>svg{color-scheme:light dark;${colourProperties().join(';')}}` +
      `text{font-family:${fontStack}}` +
      `${strokeRules('').join('')}</style>`,
    rectangle(edge, 14, `fill="${colour('paper')}" stroke="${colour('line')}" stroke-width="1.5"`),
    `<g transform="translate(${sheetPadding} ${sheetPadding})">`,
    ...paintGraph(placed, meaningsOf(chart)),
    ...notes.notes.flatMap(({ block, x, y }) =>
      paintText(block, { x: notes.x + x, y: notes.y + y }),
    ),
    '</g>',
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

function paintGraph(placed: PlacedChart, meaning: ReadonlyMap<string, Meaning>): string[] {
  const meaningOf = (id: string) => meaning.get(id) ?? 'rest';
  const areas = placed.states.filter(({ state }) => state.states.length > 0);
  const leaves = placed.states.filter(({ state }) => state.states.length === 0);
  return [
    ...areas.flatMap((area) => paintState(area, meaningOf(area.state.id))),
    ...placed.arrows.flatMap((arrow) => paintLine(arrow, meaning.get(arrow.to))),
    ...leaves.flatMap((leaf) => paintState(leaf, meaningOf(leaf.state.id))),
    ...placed.signs.flatMap(paintSign),
    ...placed.arrows.flatMap((arrow) => paintLabel(arrow, meaning.get(arrow.to))),
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
