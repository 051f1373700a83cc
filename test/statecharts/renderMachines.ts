import { actorsChart } from './actorsChart.ts';
import { chartedMachines } from './chartedMachines.ts';
import { layoutChart } from './layoutChart.ts';
import { lifecycleChart } from './lifecycleChart.ts';
import { insetHeight, paintChart } from './paintChart.ts';
import { readChart } from './readChart.ts';
import { writeMermaid } from './writeMermaid.ts';

export interface RenderedFile {
  /** Relative to the folder statecharts/. */
  readonly name: string;
  readonly text: string;
}

/**
 * Every diagram of the actors and of every machine, in memory: the same bytes each time. The slot's
 * shows the life of its row above the machine, so that it can be understood without any other.
 */
export async function renderMachines(): Promise<RenderedFile[]> {
  const lifecycle = await layoutChart(lifecycleChart());
  const files = [{ name: 'lifecycle.svg', text: paintChart(lifecycle) }];
  for (const chart of [await actorsChart(), ...chartedMachines.map(readChart)]) {
    const inset = chart.id === 'slot' ? lifecycle : null;
    const placed = await layoutChart(chart, inset === null ? 0 : insetHeight(inset));
    files.push({ name: `${chart.id}.svg`, text: paintChart(placed, inset) });
    files.push({ name: `${chart.id}.mmd`, text: writeMermaid(chart) });
  }
  return files;
}
