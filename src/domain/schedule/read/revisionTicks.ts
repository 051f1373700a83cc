import { noTicks, type TickSource } from '../../run/tickSource.ts';
import type { ScheduleFields } from '../schedule.ts';
import { ticksOfSet } from '../setTicks.ts';
import { readScheduleSet } from './readScheduleSet.ts';

/**
 * The ticks of one revision: those that its schedules name from the instant at which it came into
 * force, that instant included, within its window and less its exclusions. One that this version
 * cannot read has none.
 */
export function ticksOfRevision(definition: ScheduleFields, inForceFromMs: number): TickSource {
  const set = readScheduleSet(definition);
  return 'error' in set ? noTicks : ticksOfSet(set, inForceFromMs);
}
