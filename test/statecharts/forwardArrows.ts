import { type Chart, type ChartArrow, statesOf } from './chart.ts';

/**
 * The arrows that lead on from where a machine begins: those to a state that is further from the
 * beginning than the one they leave, with how far that is. They should point down the page.
 */
export function forwardArrows(chart: Chart): Map<ChartArrow, number> {
  const distanceOf = distancesIn(chart);
  const forward = chart.arrows.filter(({ from, to }) => distanceOf(to) > distanceOf(from));
  return new Map(forward.map((arrow) => [arrow, distanceOf(arrow.from)]));
}

/** How many arrows lie between where a machine begins and each of its states. */
export function distancesIn(chart: Chart): (id: string) => number {
  const stateById = new Map(statesOf(chart.root).map((state) => [state.id, state]));
  const firstLeaf = (id: string): string => {
    const state = stateById.get(id);
    return state === undefined || state.initial === null ? id : firstLeaf(state.initial);
  };
  const distances = new Map([[firstLeaf(chart.root.id), 0]]);
  for (const [leaf, distance] of distances) {
    for (const { from, to } of chart.arrows) {
      const leaves = firstLeaf(to);
      const isFrom = leaf === from || leaf.startsWith(`${from}.`);
      if (isFrom && !distances.has(leaves)) distances.set(leaves, distance + 1);
    }
  }
  return (id) => distances.get(firstLeaf(id)) ?? 0;
}
