import {
  type Box,
  framePadding,
  labelPadding,
  type PlacedArrow,
  type PlacedChart,
  statePadding,
} from './layoutChart.ts';

interface Named {
  readonly name: string;
  readonly box: Box;
}

/**
 * What a reader could not read in a drawing, as sentences: words that need more room than they
 * have, labels on labels or on boxes, and lines that run through the words of another.
 */
export function findCollisions(placed: PlacedChart): string[] {
  const sheet = { x: 0, y: 0, width: placed.width, height: placed.height };
  const labels = placed.arrows.flatMap((arrow) => labelOf(arrow));
  const leaves = placed.states
    .filter(({ state }) => state.states.length === 0)
    .map(({ state, box }): Named => ({ name: state.id, box }));
  const headers = placed.states
    .filter(({ state }) => state.states.length > 0)
    .map(({ state, box, block }): Named => {
      const [x, y] = [box.x + statePadding.x, box.y + statePadding.y];
      return {
        name: `${state.id}, its header`,
        box: { x, y, width: block.width, height: block.height },
      };
    });
  const found: string[] = [];
  for (const { state, box, block, depth } of placed.states) {
    const needed = block.width + 2 * (depth === 0 ? framePadding : statePadding.x);
    if (needed > box.width + 0.5) found.push(`${state.id} is too narrow for its words`);
  }
  const words = [...labels, ...leaves, ...headers];
  for (const [place, one] of words.entries()) {
    if (!isInside(one.box, sheet)) found.push(`${one.name} is cut by the edge`);
    for (const other of words.slice(place + 1)) {
      if (overlap(one.box, other.box)) found.push(`${one.name} lies on ${other.name}`);
    }
  }
  for (const arrow of placed.arrows) {
    const own = labelOf(arrow)[0];
    for (const word of words) {
      if (word.name === own?.name) continue;
      if (crosses(arrow, shrunk(word.box))) {
        found.push(`the arrow ${nameOf(arrow)} runs through ${word.name}`);
      }
    }
  }
  return found;
}

function labelOf(arrow: PlacedArrow): Named[] {
  if (arrow.label === null) return [];
  return [{ name: `the label of ${nameOf(arrow)}`, box: arrow.label.box }];
}

function nameOf({ arrow, to }: PlacedArrow): string {
  return arrow === null ? `into ${to}` : `${arrow.from} → ${to}`;
}

/** Lines end at boxes: what counts is what is further in than their padding. */
function shrunk(box: Box): Box {
  const by = Math.min(labelPadding.y, box.height / 4);
  return {
    x: box.x + by,
    y: box.y + by,
    width: box.width - 2 * by,
    height: box.height - 2 * by,
  };
}

function crosses({ points }: PlacedArrow, box: Box): boolean {
  return points.some((point, place) => {
    const before = points[place - 1];
    if (before === undefined) return false;
    const x = Math.min(before.x, point.x);
    const y = Math.min(before.y, point.y);
    const width = Math.abs(before.x - point.x);
    const height = Math.abs(before.y - point.y);
    return overlap({ x, y, width, height }, box);
  });
}

function overlap(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
  const isBelow = one.y + one.height <= other.y || other.y + other.height <= one.y;
  return !isBeside && !isBelow;
}

function isInside(box: Box, sheet: Box): boolean {
  const isWide = box.x >= sheet.x && box.x + box.width <= sheet.x + sheet.width;
  return isWide && box.y >= sheet.y && box.y + box.height <= sheet.y + sheet.height;
}
