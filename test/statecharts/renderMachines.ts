import { actorsChart } from './actorsChart.ts';
import { chartedMachines } from './chartedMachines.ts';
import { layoutChart, type PlacedChart } from './layoutChart.ts';
import { lifecycleChart } from './lifecycleChart.ts';
import { paintChart } from './paintChart.ts';
import { readChart } from './readChart.ts';
import { ownProperties, strokeRules } from './shades.ts';
import { writeMermaid } from './writeMermaid.ts';

export interface RenderedFile {
  /** Relative to the folder statecharts/. */
  readonly name: string;
  readonly text: string;
}

/** The charts of the actors, of the lifecycle and of every machine, as they are drawn. */
export async function layoutMachines(): Promise<PlacedChart[]> {
  const charts = [await actorsChart(), lifecycleChart(), ...chartedMachines.map(readChart)];
  const placed: PlacedChart[] = [];
  for (const chart of charts) placed.push(await layoutChart(chart));
  return placed;
}

/** Every diagram of them, in memory: the same bytes each time. */
export function renderMachines(charts: readonly PlacedChart[]): RenderedFile[] {
  return charts.flatMap((placed) => [
    { name: `${placed.chart.id}.svg`, text: paintChart(placed) },
    { name: `${placed.chart.id}.mmd`, text: writeMermaid(placed.chart) },
  ]);
}

/** The style of the diagrams for the page, which has some of their colours already. */
export function pageStyle(): string {
  const properties = ownProperties().map((each) => `  ${each};\n`);
  const head = '/* Written by npm run statecharts: what the drawings of the machines need. */';
  const rules = [`.chart {\n${properties.join('')}}\n`, ...strokeRules('.chart ')];
  return `${head}\n${rules.join('\n')}`;
}
