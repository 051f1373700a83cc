import assert from 'node:assert/strict';
import {
  parseSchedule,
  type ScheduleOptions,
} from '../../../src/domain/schedule/read/parseSchedule.ts';
import type { Schedule, ScheduleFault } from '../../../src/domain/schedule/schedule.ts';
import { nextTicks } from '../../../src/domain/schedule/ticks.ts';

/** Reads a schedule that must be one. */
export function read(text: string, options: ScheduleOptions = {}): Schedule {
  const schedule = parseSchedule(text, options);
  if ('error' in schedule) assert.fail(`${text}: ${schedule.error}`);
  return schedule;
}

/** Reads a text that must be refused. */
export function refuse(text: string, options: ScheduleOptions = {}): ScheduleFault {
  const fault = parseSchedule(text, options);
  if (!('error' in fault)) assert.fail(`accepted: ${text}`);
  return fault;
}

/** The next ticks as ISO texts without milliseconds. */
export function ticks(schedule: Schedule, from: string, count: number): string[] {
  return nextTicks(schedule, Date.parse(from), count).map((ms) =>
    new Date(ms).toISOString().replace('.000', ''),
  );
}
