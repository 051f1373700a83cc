import { actorsChart } from './actorsChart.ts';
import { chartedMachines } from './chartedMachines.ts';
import { layoutChart, type PlacedChart } from './layoutChart.ts';
import { lifecycleChart } from './lifecycleChart.ts';
import { insetHeight, paintChart } from './paintChart.ts';
import { readChart } from './readChart.ts';
import { writeMermaid } from './writeMermaid.ts';

const withInset = 'slot';

export interface RenderedFile {
  /** Relative to the folder statecharts/. */
  readonly name: string;
  readonly text: string;
}

/** The charts of the lifecycle, of the actors and of every machine, as they are drawn. */
export async function layoutMachines(): Promise<PlacedChart[]> {
  const lifecycle = await layoutChart(lifecycleChart());
  const placed = [lifecycle];
  for (const chart of [await actorsChart(), ...chartedMachines.map(readChart)]) {
    const headroom = chart.id === withInset ? insetHeight(lifecycle) : 0;
    placed.push(await layoutChart(chart, headroom));
  }
  return placed;
}

/**
 * Every diagram of them, in memory: the same bytes each time. The slot's shows the life of its row
 * above the machine, so that it can be understood without any other.
 */
export function renderMachines([lifecycle, ...others]: readonly PlacedChart[]): RenderedFile[] {
  if (lifecycle === undefined) return [];
  const files = [{ name: 'lifecycle.svg', text: paintChart(lifecycle) }];
  for (const placed of others) {
    const { chart } = placed;
    const inset = chart.id === withInset ? lifecycle : null;
    files.push({ name: `${chart.id}.svg`, text: paintChart(placed, inset) });
    files.push({ name: `${chart.id}.mmd`, text: writeMermaid(chart) });
  }
  return files;
}
