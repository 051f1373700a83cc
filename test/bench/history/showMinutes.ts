import { type Column, printTable } from '../../../src/cli/output/table/printTable.ts';
import { percentile } from '../percentile.ts';
import type { Minute } from './measureMinutes.ts';

/** Nothing is written; written, but nothing old enough to go; written and removed. */
export type PhaseName = 'nothing' | 'written' | 'removed';

interface Line {
  readonly phase: PhaseName;
  readonly minute: number;
  readonly of: Minute;
}

/** A table for people, a line for each minute. */
export function showMinutes(phases: Readonly<Record<PhaseName, readonly Minute[]>>): void {
  const names: readonly PhaseName[] = ['nothing', 'written', 'removed'];
  const lines = names.flatMap((phase) =>
    phases[phase].map((of, index): Line => ({ phase, minute: index + 1, of })),
  );
  printTable(columns, lines);
}

const number = (heading: string, value: (minute: Minute) => number): Column<Line> => ({
  heading,
  of: ({ of }) => String(value(of)),
});
const columns: readonly Column<Line>[] = [
  { heading: 'PHASE', of: ({ phase }) => phase },
  { heading: 'MINUTE', of: ({ minute }) => String(minute) },
  number('WRITTEN/S', ({ writtenPerSecond }) => writtenPerSecond),
  number('REMOVED/S', ({ removedPerSecond }) => removedPerSecond),
  number('RUNS', ({ runs }) => runs),
  number('OUTPUTS', ({ outputs }) => outputs),
  number('BACKLOG', ({ backlog }) => backlog),
  number('TABLES MB', ({ tablesMb }) => tablesMb),
  number('SERVER MB', ({ serverMb }) => serverMb),
  number('LATE P50', ({ watch }) => percentile(watch.latenessMs, 0.5)),
  number('LATE P99', ({ watch }) => percentile(watch.latenessMs, 0.99)),
  number('IDLE %', ({ machineIdlePercent }) => machineIdlePercent),
];
