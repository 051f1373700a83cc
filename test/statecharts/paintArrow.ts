import type { Point } from './box.ts';
import { labelTooltip } from './labelRows.ts';
import { labelPadding, type PlacedArrow } from './layoutGraph.ts';
import { rectangle } from './paintState.ts';
import { escapeXml, number, paintText } from './paintText.ts';
import { colour } from './shades.ts';
import type { Meaning } from './stateMeaning.ts';

const cornerRadius = 9;
const headLength = 9;
const headHalf = 4.5;

/** The line of an arrow with round corners and its head, in the colour of where it leads. */
export function paintLine(placed: PlacedArrow, meaning: Meaning | undefined): string[] {
  const stroke = placed.arrow === null ? colour('ink') : colourOf(meaning);
  const points = placed.points;
  const [beforeLast, last] = [points.at(-2), points.at(-1)];
  if (beforeLast === undefined || last === undefined) return [];
  const way = unit(beforeLast, last);
  const neck = { x: last.x - way.x * headLength, y: last.y - way.y * headLength };
  const shaft = roundedPath([...points.slice(0, -1), neck]);
  const left = { x: neck.x - way.y * headHalf, y: neck.y + way.x * headHalf };
  const right = { x: neck.x + way.y * headHalf, y: neck.y - way.x * headHalf };
  const head = `M${at(left)}L${at(last)}L${at(right)}Z`;
  return [
    `<g${arrowName(placed)}>`,
    `<path class="line" stroke="${stroke}"${dashes(placed)} d="${shaft}"/>`,
    `<path fill="${stroke}" d="${head}"/>`,
    '</g>',
  ];
}

/** What makes the transition happen, on a slip of paper in the middle of its line. */
export function paintLabel(placed: PlacedArrow, meaning: Meaning | undefined): string[] {
  if (placed.label === null) return [];
  const { block, box } = placed.label;
  const lines = placed.arrow?.labels.map(labelTooltip) ?? [];
  const style = `fill="${colour('surface')}" stroke="${colourOf(meaning)}" stroke-opacity="0.45"`;
  const corner = { x: box.x + labelPadding.x, y: box.y + labelPadding.y };
  return [
    `<g${arrowName(placed)}><title>${escapeXml(lines.join('\n'))}</title>`,
    rectangle(box, 6, style),
    ...paintText(block, corner, box),
    '</g>',
  ];
}

/** An arrow is found again in the drawing by the states that it joins. */
function arrowName({ arrow }: PlacedArrow): string {
  return arrow === null ? '' : ` data-arrow="${arrow.from} ${arrow.to}"`;
}

/** What was refused, or whose outcome is unknown, is drawn dashed. */
function dashes({ arrow }: PlacedArrow): string {
  const events = arrow?.labels.flatMap(({ names }) => names) ?? [];
  const isDashed = events.length > 0 && events.every((name) => /\.(refused|unknown)$/.test(name));
  return isDashed ? ' stroke-dasharray="6 4"' : '';
}

function colourOf(meaning: Meaning | undefined): string {
  return meaning === undefined || meaning === 'rest' ? colour('arrow') : colour(`${meaning}-line`);
}

/** Straight pieces joined by quarter circles, smaller ones where there is no room. */
function roundedPath(points: readonly Point[]): string {
  let path = '';
  for (const [place, point] of points.entries()) {
    const before = points[place - 1];
    const after = points[place + 1];
    if (before === undefined) path += `M${at(point)}`;
    else if (after === undefined) path += `L${at(point)}`;
    else path += corner(before, point, after);
  }
  return path;
}

function corner(before: Point, point: Point, after: Point): string {
  const radius = Math.min(cornerRadius, length(before, point) / 2, length(point, after) / 2);
  const [into, outOf] = [unit(before, point), unit(point, after)];
  const from = { x: point.x - into.x * radius, y: point.y - into.y * radius };
  const to = { x: point.x + outOf.x * radius, y: point.y + outOf.y * radius };
  return `L${at(from)}Q${at(point)} ${at(to)}`;
}

function unit(from: Point, to: Point): Point {
  const distance = length(from, to) || 1;
  return { x: (to.x - from.x) / distance, y: (to.y - from.y) / distance };
}

function length(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

function at({ x, y }: Point): string {
  return `${number(x)} ${number(y)}`;
}
