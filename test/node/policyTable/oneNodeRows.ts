import { chainRows } from './chainRows.ts';
import { endRows } from './endRows.ts';
import { handRows } from './handRows.ts';
import { overlapRows } from './overlapRows.ts';
import { processRows } from './processRows.ts';
import { scheduleRows } from './scheduleRows.ts';
import type { TableRow } from './tableWorld.ts';

/** Those of jobs that have no ticks. */
export const untimedRows: readonly TableRow[] = [...chainRows, ...processRows];

export const timedRows: readonly TableRow[] = [
  ...[...scheduleRows, ...overlapRows],
  ...[...endRows, ...handRows],
];

export const oneNodeRows: readonly TableRow[] = [...timedRows, ...untimedRows];
