import { type Box, crosses, overlap } from './box.ts';
import { type PlacedChart, sheetPadding } from './layoutChart.ts';
import { labelPadding, type PlacedArrow, statePadding } from './layoutGraph.ts';
import type { TextBlock } from './textBlock.ts';

interface Named {
  readonly name: string;
  readonly box: Box;
}

/**
 * What a reader could not read in a drawing, as sentences: words that need more room than they
 * have, labels on labels or on boxes, and lines that run through the words of another.
 */
export function findCollisions(placed: PlacedChart): string[] {
  const sheet = {
    x: 0,
    y: 0,
    width: placed.sheet.width - 2 * sheetPadding,
    height: placed.sheet.height - 2 * sheetPadding,
  };
  const labels = placed.arrows.flatMap((arrow) => labelOf(arrow));
  const leaves = placed.states
    .filter(({ state }) => state.states.length === 0)
    .map(({ state, box }): Named => ({ name: state.id, box }));
  const headers = placed.states
    .filter(({ state }) => state.states.length > 0)
    .map(
      ({ state, header, block }): Named => ({
        name: `${state.id}, its header`,
        box: { ...header, ...sizeOf(block) },
      }),
    );
  const notes = placed.notes.notes.map(({ block, x, y }): Named => {
    const at = { x: placed.notes.x + x, y: placed.notes.y + y };
    return { name: `a note on ${wordsOf(block)}`, box: { ...at, ...sizeOf(block) } };
  });
  const found: string[] = [];
  for (const { state, box, block } of placed.states) {
    const needed = block.width + 2 * statePadding.x;
    if (needed > box.width + 0.5) found.push(`${state.id} is too narrow for its words`);
  }
  const words = [...labels, ...leaves, ...headers, ...notes];
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
      if (crosses(arrow.points, shrunk(word.box))) {
        found.push(`the arrow ${nameOf(arrow)} runs through ${word.name}`);
      }
    }
  }
  return found;
}

const wordsOf = ({ rows }: TextBlock): string => rows[0]?.spans[0]?.text ?? '';
const sizeOf = ({ height, width }: TextBlock) => ({ width, height });

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

function isInside(box: Box, sheet: Box): boolean {
  const isWide = box.x >= sheet.x && box.x + box.width <= sheet.x + sheet.width;
  return isWide && box.y >= sheet.y && box.y + box.height <= sheet.y + sheet.height;
}
