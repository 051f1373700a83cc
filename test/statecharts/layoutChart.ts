import elkModule, {
  type ElkExtendedEdge,
  type ElkNode,
  type LayoutOptions,
} from 'elkjs/lib/elk.bundled.js';
import type { Chart, ChartArrow, ChartState } from './chart.ts';
import { forwardArrows } from './forwardArrows.ts';
import { labelRows } from './labelRows.ts';
import { forwardOptions, layoutOptions, waysOf } from './layoutOptions.ts';
import { stateBlock } from './stateBlock.ts';
import { blockOf, type TextBlock } from './textBlock.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface PlacedState {
  readonly state: ChartState;
  readonly block: TextBlock;
  readonly box: Box;
  readonly depth: number;
}

export interface PlacedArrow {
  /** Null for the arrow from the dot to the state that is entered first. */
  readonly arrow: ChartArrow | null;
  readonly to: string;
  readonly points: readonly Point[];
  readonly label: { readonly block: TextBlock; readonly box: Box } | null;
}

/** A dot where a life begins, or the word `any state` where transitions of a whole frame begin. */
export interface PlacedSign {
  readonly kind: 'initial' | 'any';
  readonly box: Box;
}

export interface PlacedChart {
  readonly chart: Chart;
  readonly width: number;
  readonly height: number;
  readonly states: readonly PlacedState[];
  readonly arrows: readonly PlacedArrow[];
  readonly signs: readonly PlacedSign[];
}

export const statePadding = { x: 14, y: 11 };
export const framePadding = 28;
export const labelPadding = { x: 8, y: 4 };
const initialSize = 12;
const anySize = { width: 78, height: 24 };

/**
 * Lays a chart out with elk. Several ways are tried and the calmest is kept: short lines with few
 * bends on little paper. The same chart comes out the same on every machine.
 */
export async function layoutChart(chart: Chart, headroom = 0): Promise<PlacedChart> {
  let best: PlacedChart | null = null;
  for (const way of waysOf(chart.id)) {
    const first = await layoutOnce(chart, { way, headroom, headerWidths: new Map() });
    const placed = await layoutOnce(chart, { way, headroom, headerWidths: headerWidthsOf(first) });
    if (best === null || restlessness(placed) < restlessness(best)) best = placed;
  }
  if (best === null) throw new Error(`no way to lay out ${chart.id}`);
  return best;
}

/** elk makes a state as wide as its children, so headers that are wider are broken anew. */
function headerWidthsOf(placed: PlacedChart): Map<string, number> {
  const areas = placed.states.filter(({ state }) => state.states.length > 0);
  return new Map(
    areas.map(({ state, box, depth }) => [
      state.id,
      box.width - 2 * (depth === 0 ? framePadding : statePadding.x),
    ]),
  );
}

const climbPenalty = 600;

function restlessness(placed: PlacedChart): number {
  let sum = (placed.width * placed.height) / 400;
  const forward = forwardArrows(placed.chart);
  for (const { arrow, points } of placed.arrows) {
    const climb = (points[0]?.y ?? 0) - (points.at(-1)?.y ?? 0);
    if (arrow !== null && forward.has(arrow) && climb > 0) sum += climbPenalty;
    for (const [place, point] of points.entries()) {
      const before = points[place - 1] ?? point;
      sum += Math.abs(point.x - before.x) + Math.abs(point.y - before.y);
      sum += 20;
    }
  }
  return sum;
}

interface Attempt {
  readonly way: LayoutOptions;
  /** Free space between the header of the frame and what it frames. */
  readonly headroom: number;
  readonly headerWidths: ReadonlyMap<string, number>;
}

async function layoutOnce(chart: Chart, attempt: Attempt): Promise<PlacedChart> {
  const elk = new elkModule.default();
  const laidOut = await elk.layout(graphOf(chart, attempt));
  const states: PlacedState[] = [];
  const signs: PlacedSign[] = [];
  const stateById = indexStates(chart.root);
  const visit = (node: ElkNode, depth: number): void => {
    const state = stateById.get(node.id);
    let box = boxOf(node);
    if (state === undefined) {
      signs.push({ kind: node.id.endsWith(initialMark) ? 'initial' : 'any', box });
    } else {
      const block = stateBlock(state, depth === 0, attempt.headerWidths.get(state.id));
      // A frame whose header is wider than all that it frames grows to the right.
      const width = depth === 0 ? Math.max(box.width, block.width + 2 * framePadding) : box.width;
      box = { ...box, width };
      states.push({ state, block, box, depth });
    }
    for (const child of node.children ?? []) visit(child, depth + 1);
  };
  visit(laidOut, 0);
  const arrows = (laidOut.edges ?? []).map((edge) => placeArrow(chart, edge));
  const { width, height } = states[0]?.box ?? boxOf(laidOut);
  return { chart, width, height, states, arrows, signs };
}

const initialMark = '.(initial)';
const anyMark = '.(any)';

function graphOf(chart: Chart, attempt: Attempt): ElkNode {
  const edges: ElkExtendedEdge[] = [];
  const root = nodeOf(chart, chart.root, edges, attempt);
  root.layoutOptions = { ...root.layoutOptions, ...attempt.way };
  const forward = forwardArrows(chart);
  for (const [place, arrow] of chart.arrows.entries()) {
    const block = labelBlock(arrow);
    const isInward = arrow.to.startsWith(`${arrow.from}.`);
    edges.push({
      id: `arrow ${place}`,
      sources: [isInward ? arrow.from + anyMark : arrow.from],
      targets: [arrow.to],
      layoutOptions: forwardOptions(forward.get(arrow)),
      labels: [
        {
          text: 'label',
          width: block.width + 2 * labelPadding.x,
          height: block.height + 2 * labelPadding.y,
          layoutOptions: { 'elk.edgeLabels.inline': 'true' },
        },
      ],
    });
  }
  return { ...root, edges };
}

function nodeOf(
  chart: Chart,
  state: ChartState,
  edges: ElkExtendedEdge[],
  attempt: Attempt,
): ElkNode {
  const isRoot = state === chart.root;
  const block = stateBlock(state, isRoot, attempt.headerWidths.get(state.id));
  const width = block.width + 2 * statePadding.x;
  const headroom = isRoot ? attempt.headroom : 0;
  const height = block.height + 2 * statePadding.y + headroom;
  if (state.states.length === 0) return { id: state.id, width, height };
  const children: ElkNode[] = [];
  if (state.initial !== null) {
    const id = state.id + initialMark;
    children.push({ id, width: initialSize, height: initialSize });
    const ends = { sources: [id], targets: [state.initial] };
    edges.push({ id: `initial ${state.id}`, ...ends, layoutOptions: forwardOptions(0) });
  }
  const isInward = ({ from, to }: ChartArrow) => from === state.id && to.startsWith(`${from}.`);
  if (chart.arrows.some(isInward)) children.push({ id: state.id + anyMark, ...anySize });
  for (const child of state.states) children.push(nodeOf(chart, child, edges, attempt));
  const options = layoutOptions({ isRoot, width, height });
  return { id: state.id, children, layoutOptions: options };
}

function labelBlock(arrow: ChartArrow): TextBlock {
  return blockOf(
    arrow.labels.flatMap((label, place) => labelRows(label, place === 0 ? 0 : 7, place > 0)),
  );
}

function placeArrow(chart: Chart, edge: ElkExtendedEdge): PlacedArrow {
  const section = edge.sections?.[0];
  if (section === undefined) throw new Error(`elk drew no line for ${edge.id}`);
  const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(
    ({ x, y }) => ({ x: round(x), y: round(y) }),
  );
  const number = /^arrow (\d+)$/.exec(edge.id)?.[1];
  const arrow = number === undefined ? null : (chart.arrows[Number(number)] ?? null);
  const shape = edge.labels?.[0];
  const label =
    arrow === null || shape === undefined ? null : { block: labelBlock(arrow), box: boxOf(shape) };
  return { arrow, to: edge.targets[0] ?? '', points, label };
}

function indexStates(root: ChartState): Map<string, ChartState> {
  const all = (state: ChartState): ChartState[] => [state, ...state.states.flatMap(all)];
  return new Map(all(root).map((state) => [state.id, state]));
}

function boxOf(shape: { x?: number; y?: number; width?: number; height?: number }): Box {
  return {
    x: round(shape.x),
    y: round(shape.y),
    width: round(shape.width),
    height: round(shape.height),
  };
}

/** Half pixels: fine enough to look at, coarse enough to be the same bytes everywhere. */
export function round(value = 0): number {
  return Math.round(value * 2) / 2;
}
