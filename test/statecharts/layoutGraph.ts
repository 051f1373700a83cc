import elkModule, {
  type ElkExtendedEdge,
  type ElkNode,
  type LayoutOptions,
} from 'elkjs/lib/elk.bundled.js';
import { type Box, boxOf, crosses, type Point, round } from './box.ts';
import { type Chart, type ChartArrow, type ChartState, statesOf } from './chart.ts';
import { distancesIn, forwardArrows } from './forwardArrows.ts';
import { labelRows } from './labelRows.ts';
import { forwardOptions, layoutOptions } from './layoutOptions.ts';
import { stateBlock } from './stateBlock.ts';
import { blockOf, type TextBlock } from './textBlock.ts';

export interface PlacedState {
  readonly state: ChartState;
  readonly block: TextBlock;
  readonly box: Box;
  /** Where its text begins: of a state with children, where no line runs through it. */
  readonly header: Point;
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

/** The states and arrows of a chart in their places; without the notes beside them. */
export interface PlacedGraph {
  readonly chart: Chart;
  readonly width: number;
  readonly height: number;
  readonly states: readonly PlacedState[];
  readonly arrows: readonly PlacedArrow[];
  readonly signs: readonly PlacedSign[];
}

export const statePadding = { x: 10, y: 6 };
export const labelPadding = { x: 6, y: 2 };
const initialSize = 12;
const anySize = { width: 74, height: 22 };

/** A way to lay a chart out. */
export interface Attempt {
  readonly options: LayoutOptions;
  readonly labelWidthMax: number;
  /**
   * States that are further than so many arrows from the beginning stand beside those before them,
   * as the lines of a text do: a long chart is folded. Null: it is not.
   */
  readonly fold: number | null;
}

/** Lays a chart out with elk, in one way: the same on every machine. */
export async function layoutGraph(chart: Chart, attempt: Attempt): Promise<PlacedGraph> {
  const elk = new elkModule.default();
  const laidOut = await elk.layout(graphOf(chart, attempt));
  const arrows = (laidOut.edges ?? []).map((edge) => placeArrow(chart, edge, attempt));
  const states: PlacedState[] = [];
  const signs: PlacedSign[] = [];
  // The machine itself is the sheet, and has its words in the notes.
  const [, ...inner] = statesOf(chart.root);
  const stateById = new Map(inner.map((state) => [state.id, state]));
  const visit = (node: ElkNode): void => {
    const state = stateById.get(node.id);
    const box = boxOf(node);
    if (state === undefined) {
      signs.push({ kind: node.id.endsWith(initialMark) ? 'initial' : 'any', box });
    } else {
      const block = stateBlock(state);
      states.push({ state, block, box, header: headerAt(box, block, arrows) });
    }
    node.children?.forEach(visit);
  };
  laidOut.children?.forEach(visit);
  const { width, height } = boxOf(laidOut);
  return { chart, width, height, states, arrows, signs };
}

const initialMark = '.(initial)';
const anyMark = '.(any)';
const [forwards, reversed] = ['arrow', 'reversed'];
const noBlock = blockOf([]);

function graphOf(chart: Chart, attempt: Attempt): ElkNode {
  const edges: ElkExtendedEdge[] = [];
  const root = nodeOf(chart, chart.root, edges);
  root.layoutOptions = { ...root.layoutOptions, ...attempt.options };
  const forward = attempt.fold === null ? forwardArrows(chart) : new Map<ChartArrow, number>();
  const isReversed = reversedBy(chart, attempt.fold);
  for (const [place, arrow] of chart.arrows.entries()) {
    const block = labelBlock(arrow, attempt);
    const isInward = arrow.to.startsWith(`${arrow.from}.`);
    const ends = [isInward ? arrow.from + anyMark : arrow.from, arrow.to] as const;
    const [source, target] = isReversed(arrow) ? ends.toReversed() : ends;
    edges.push({
      id: `${isReversed(arrow) ? reversed : forwards} ${place}`,
      sources: [source ?? ''],
      targets: [target ?? ''],
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

function nodeOf(chart: Chart, state: ChartState, edges: ElkExtendedEdge[]): ElkNode {
  const isRoot = state === chart.root;
  const block = isRoot ? noBlock : stateBlock(state);
  const width = block.width + 2 * statePadding.x;
  const height = block.height + 2 * statePadding.y;
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
  for (const child of state.states) children.push(nodeOf(chart, child, edges));
  const options = layoutOptions({ isRoot, width, height });
  return { id: state.id, children, layoutOptions: options };
}

/**
 * In a folded chart, arrows to a state that stands higher than where they begin: elk is given them
 * reversed, as it lays out every edge downwards.
 */
function reversedBy(chart: Chart, fold: number | null): (arrow: ChartArrow) => boolean {
  if (fold === null) return () => false;
  const distanceOf = distancesIn(chart);
  const levelOf = (id: string) => distanceOf(id) - (distanceOf(id) > fold ? fold + 1 : 0);
  return ({ from, to }) => !to.startsWith(`${from}.`) && levelOf(to) < levelOf(from);
}

function labelBlock(arrow: ChartArrow, { labelWidthMax }: Attempt): TextBlock {
  return blockOf(
    arrow.labels.flatMap((label, place) =>
      labelRows(label, labelWidthMax, place === 0 ? 0 : 5, place > 0),
    ),
  );
}

function placeArrow(chart: Chart, edge: ElkExtendedEdge, attempt: Attempt): PlacedArrow {
  const section = edge.sections?.[0];
  if (section === undefined) throw new Error(`elk drew no line for ${edge.id}`);
  const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(
    ({ x, y }) => ({ x: round(x), y: round(y) }),
  );
  const [, way, number] = /^(\w+) (\d+)$/.exec(edge.id) ?? [];
  if (way === reversed) points.reverse();
  const arrow = number === undefined ? null : (chart.arrows[Number(number)] ?? null);
  const shape = edge.labels?.[0];
  const label =
    arrow === null || shape === undefined
      ? null
      : { block: labelBlock(arrow, attempt), box: boxOf(shape) };
  return { arrow, to: arrow?.to ?? edge.targets[0] ?? '', points, label };
}

/** Where a box's text begins: from left to right, the first place that no line runs through. */
function headerAt(box: Box, block: TextBlock, arrows: readonly PlacedArrow[]): Point {
  const at = { x: box.x + statePadding.x, y: box.y + statePadding.y };
  const last = box.x + box.width - statePadding.x - block.width;
  for (let x = at.x; x <= last; x += 10) {
    const area = { x: x - 4, y: at.y, width: block.width + 8, height: block.height };
    if (!arrows.some((arrow) => crosses(arrow.points, area))) return { ...at, x };
  }
  return at;
}
