import type { Box } from './box.ts';
import { stateTooltip } from './labelRows.ts';
import type { PlacedSign, PlacedState } from './layoutGraph.ts';
import { escapeXml, number, paintText } from './paintText.ts';
import { colour } from './shades.ts';
import type { Meaning } from './stateMeaning.ts';

/** A state's box with its text; all there is to it is in the box's tooltip. */
export function paintState(placed: PlacedState, meaning: Meaning): string[] {
  const { block, box, header, state } = placed;
  const isArea = state.states.length > 0;
  const radius = isArea ? 12 : 8;
  const fill = colour(`${meaning}-${isArea ? 'area' : 'fill'}`);
  const line = colour(`${meaning}-line`);
  const lines = [
    `<g data-state="${state.id}"><title>${escapeXml(stateTooltip(state))}</title>`,
    rectangle(box, radius, `fill="${fill}" stroke="${line}" stroke-width="1.5"`),
  ];
  if (state.isFinal) {
    lines.push(rectangle(grown(box, -3), radius - 2, `fill="none" stroke="${line}"`));
  }
  return [...lines, ...paintText(block, header), '</g>'];
}

export function paintSign({ kind, box }: PlacedSign): string[] {
  if (kind === 'initial') {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return [`<circle cx="${number(x)}" cy="${number(y)}" r="6" fill="${colour('ink')}"/>`];
  }
  const style = `fill="${colour('surface')}" stroke="${colour('arrow')}" stroke-dasharray="4 3"`;
  const [x, y] = [number(box.x + box.width / 2), number(box.y + 15)];
  return [
    rectangle(box, box.height / 2, style),
    `<text x="${x}" y="${y}" font-size="11" text-anchor="middle" fill="${colour('plain')}">` +
      'any state</text>',
  ];
}

export function rectangle(box: Box, radius: number, style: string): string {
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(number);
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" ${style}/>`;
}

function grown(box: Box, by: number): Box {
  return {
    x: box.x - by,
    y: box.y - by,
    width: box.width + 2 * by,
    height: box.height + 2 * by,
  };
}
