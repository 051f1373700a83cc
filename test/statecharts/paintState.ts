import { type Box, type PlacedSign, type PlacedState, statePadding } from './layoutChart.ts';
import { number, paintText } from './paintText.ts';
import { arrowColour, paper, shades, tones } from './shades.ts';
import type { Meaning } from './stateMeaning.ts';

/** A state's box with its text; the machine itself is the frame around all of them. */
export function paintState(placed: PlacedState, meaning: Meaning | null): string[] {
  const { state, block, box, depth } = placed;
  const at = { x: box.x + statePadding.x, y: box.y + statePadding.y };
  if (meaning === null) {
    const inset = { x: box.x + 28, y: box.y + 24 };
    return paintText(block, inset, { ...inset, width: box.width - 56, height: 0 });
  }
  const shade = shades[meaning];
  const isArea = state.states.length > 0;
  const radius = isArea ? 14 : 10;
  const fill = isArea ? shade.area : shade.fill;
  const lines = [
    `<g><title>${state.id}</title>`,
    rectangle(box, radius, `fill="${fill}" stroke="${shade.line}" stroke-width="1.5"`),
  ];
  if (state.isFinal) {
    lines.push(rectangle(grown(box, -4), radius - 3, `fill="none" stroke="${shade.line}"`));
  }
  const ruled = depth > 0 && isArea ? { ...grown(box, -14), width: block.width } : grown(box, -14);
  return [...lines, ...paintText(block, at, ruled), '</g>'];
}

export function paintSign({ kind, box }: PlacedSign): string[] {
  if (kind === 'initial') {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return [`<circle cx="${number(x)}" cy="${number(y)}" r="6" fill="${tones.strong}"/>`];
  }
  const style = `fill="${paper.label}" stroke="${arrowColour}" stroke-dasharray="4 3"`;
  const [x, y] = [number(box.x + box.width / 2), number(box.y + 16)];
  return [
    rectangle(box, box.height / 2, style),
    `<text x="${x}" y="${y}" font-size="12" text-anchor="middle" fill="${tones.plain}">` +
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
