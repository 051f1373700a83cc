import type { ScheduleFields, ScheduleSetFault } from '../schedule.ts';
import { readScheduleSet } from './readScheduleSet.ts';

/** Takes the place of a field that is wrong; absent: the field is left out. */
const standIns: Partial<Record<keyof ScheduleFields, string>> = { name: '', schedule: '@hourly' };

/**
 * Everything that keeps a schedule from being read, one fault a field: what a fault hides is looked
 * at with something else in its place. Never throws, as `readScheduleSet`.
 */
export function scheduleFaults(
  ...[fields, options = {}]: Parameters<typeof readScheduleSet>
): ScheduleSetFault[] {
  const set = readScheduleSet(fields, options);
  if (!('error' in set)) return [];
  const { field } = set;
  const inUtc = { ...options, defaultTimezone: undefined };
  const hidden = scheduleFaults(
    { ...fields, [field]: standIns[field] },
    field === 'timezone' ? inUtc : options,
  );
  return [set, ...hidden];
}
