import type { Point } from './box.ts';
import type { Chart } from './chart.ts';
import { forwardArrows } from './forwardArrows.ts';
import { layoutGraph, type PlacedGraph } from './layoutGraph.ts';
import { waysOf } from './layoutOptions.ts';
import { columnGap, flowNotes, type NoteColumns, notesOf } from './notes.ts';

/** A chart with its notes, as it is drawn. */
export interface PlacedChart extends PlacedGraph {
  readonly notes: NoteColumns & Point;
  /** Of the whole sheet. */
  readonly sheet: { readonly width: number; readonly height: number };
}

/** A chart fits a window of 1280 × 800, and the width that the page's navigation leaves of it. */
export const sheetMax = { width: 1_048, height: 800 };
export const sheetPadding = 18;

/**
 * Lays a chart out. Several ways are tried and the calmest of those that fit is kept: short lines
 * with few bends on little paper. It is folded only where no other way fits.
 */
export async function layoutChart(chart: Chart): Promise<PlacedChart> {
  const folds = [...new Set(forwardArrows(chart).values())].sort((a, b) => a - b);
  const placed: PlacedChart[] = [];
  for (const fold of [null, ...folds]) {
    for (const way of waysOf(chart.id)) {
      placed.push(withNotes(await layoutGraph(chart, { ...way, fold })));
    }
    if (placed.some((each) => overflow(each) === 0)) break;
  }
  return leastBy(placed, layoutCost);
}

/** The first of those that cost the least. */
function leastBy<T>(items: readonly T[], costOf: (item: T) => number): T {
  const [least] = items
    .map((item) => ({ item, cost: costOf(item) }))
    .toSorted((one, other) => one.cost - other.cost);
  if (least === undefined) throw new Error('there is nothing to choose from');
  return least.item;
}

const noteWidth = { min: 230, max: 340 };

/** Puts the notes to the right of a chart or below it, wherever they make less of the sheet. */
function withNotes(graph: PlacedGraph): PlacedChart {
  const room = sheetMax.width - 2 * sheetPadding;
  const right = room - graph.width - columnGap;
  const below = Math.max(1, Math.floor((room + columnGap) / (noteWidth.min + columnGap)));
  const placed = [
    notesAt(graph, { x: graph.width + columnGap, y: 0 }, 1, right),
    ...Array.from({ length: below }, (_, place) => {
      const width = (room + columnGap) / (place + 1) - columnGap;
      return notesAt(graph, { x: 0, y: graph.height + columnGap }, place + 1, width);
    }),
  ];
  return leastBy(placed, sheetCost);
}

function notesAt(graph: PlacedGraph, at: Point, count: number, room: number): PlacedChart {
  const width = Math.min(noteWidth.max, Math.max(noteWidth.min, Math.floor(room)));
  const notes = { ...flowNotes(notesOf(graph.chart, width), count, width), ...at };
  const sheet = {
    width: Math.max(graph.width, at.x + notes.width) + 2 * sheetPadding,
    height: Math.max(graph.height, at.y + notes.height) + 2 * sheetPadding,
  };
  return { ...graph, notes, sheet };
}

/** Pixels that do not fit. */
function overflow({ sheet }: PlacedChart): number {
  return Math.max(0, sheet.width - sheetMax.width) + Math.max(0, sheet.height - sheetMax.height);
}

const sheetCost = (placed: PlacedChart): number =>
  overflow(placed) * 1_000 + (placed.sheet.width * placed.sheet.height) / 400;

const climbPenalty = 600;

function layoutCost(placed: PlacedChart): number {
  let sum = sheetCost(placed);
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
