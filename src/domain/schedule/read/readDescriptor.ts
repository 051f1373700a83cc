import { formatDuration, parseDuration } from '../../time/duration.ts';
import type { Plan, ScheduleFault } from '../schedule.ts';

/** A descriptor that was read: fields, a plan, or times of which the zone has to place some. */
type DescriptorReading =
  | { readonly fields: string }
  | { readonly plan: Plan; readonly canonical: string }
  | { readonly times: readonly AtTime[] };

/** One time of an `@at`: an instant, or wall time in the schedule's zone. */
export interface AtTime {
  readonly seconds: number;
  readonly isLocal: boolean;
}

const fieldsOf: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
  ['@minutely', '* * * * *'],
]);

const everySecondsMax = 366 * 86_400;

/** Reads a text that begins with `@`. Descriptors are lower case, as in every crontab. */
export function readDescriptor(text: string): DescriptorReading | ScheduleFault {
  const fields = fieldsOf.get(text);
  if (fields !== undefined) return { fields };
  if (text === '@manual') return { plan: { kind: 'manual' }, canonical: '@manual' };
  const [word = '', ...rest] = text.split(/[ \t]+/);
  const argument = rest.join(' ');
  if (word === '@every') return readEvery(argument);
  if (word === '@at') return readAt(argument);
  if (word === '@reboot') {
    return fault(word, 'a schedule here belongs to no machine, so there is no reboot to run after');
  }
  return fault(text.slice(0, 40), 'unknown');
}

/** A Go duration of whole seconds, so that robfig's and cronsun's texts read the same. */
function readEvery(text: string): DescriptorReading | ScheduleFault {
  const shown = `@every ${text.slice(0, 40)}`;
  const durationMs = parseDuration(text, ['h', 'm', 's']);
  if (typeof durationMs !== 'number') return fault(shown, durationMs.error, everyAllowed);
  const everySeconds = durationMs / 1000;
  if (!Number.isInteger(everySeconds) || everySeconds < 1 || everySeconds > everySecondsMax) {
    return fault(shown, 'out of range', everyAllowed);
  }
  return { plan: { kind: 'every', everySeconds }, canonical: `@every ${goDuration(everySeconds)}` };
}

/** `formatDuration` without days, which Go has not. */
function goDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const rest = seconds % 3600;
  if (hours === 0) return formatDuration(rest * 1000);
  return `${hours}h${rest === 0 ? '' : formatDuration(rest * 1000)}`;
}

/** ISO instants between commas. */
function readAt(text: string): DescriptorReading | ScheduleFault {
  const texts = text.split(',').map((item) => item.trim());
  if (texts.length > atTimesMax) {
    return fault('@at', `${texts.length} times`, `at most ${atTimesMax}, ${atAllowed}`);
  }
  const times: AtTime[] = [];
  for (const item of texts) {
    const time = readAtTime(item);
    if ('error' in time) return time;
    times.push(time);
  }
  return { times };
}

/** An ISO instant; without Z or an offset it is wall time in the schedule's zone. */
function readAtTime(text: string): AtTime | ScheduleFault {
  const shown = `@at ${text.slice(0, 40)}`;
  const match =
    /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.0{1,9})?)?(Z|[+-]\d\d:[0-5]\d)?$/.exec(
      text,
    );
  if (match === null) return fault(shown, 'not an instant', atAllowed);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits) => Number(digits ?? '0'));
  const localMs = Date.UTC(year, month - 1, day, hour, minute, second);
  const local = new Date(localMs);
  const isReal = local.getUTCMonth() === month - 1 && local.getUTCDate() === day;
  if (!isReal || hour > 23 || minute > 59 || second > 59 || year < 1970 || year > 2099) {
    return fault(shown, 'there is no such time', atAllowed);
  }
  const zone = match[7];
  if (zone === undefined) return { seconds: localMs / 1000, isLocal: true };
  const offset = zone === 'Z' ? 0 : Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  if (offset > 14 * 60) return fault(shown, 'no such offset', atAllowed);
  const seconds = localMs / 1000 - (zone.startsWith('-') ? -offset : offset) * 60;
  return { seconds, isLocal: false };
}

/** `@at` in UTC, to the second. */
export function canonicalAt(atSeconds: readonly number[]): string {
  const texts = atSeconds.map((at) => `${new Date(at * 1000).toISOString().slice(0, 19)}Z`);
  return `@at ${texts.join(',')}`;
}

/** So many that their canonical spelling is a schedule of its own, which has 512 characters. */
const atTimesMax = 20;

const everyAllowed = 'h, m and s in whole seconds, from 1s to 8784h (366 days), e.g. 1h30m';
const atAllowed =
  'times of 1970 to 2099 between commas, e.g. 2030-01-31T09:30:00Z, ' +
  'or without Z in the zone of the job';

function fault(
  item: string,
  what: string,
  allowed = `${[...fieldsOf.keys()].join(', ')}, @every, @at, @manual`,
): ScheduleFault {
  const error = `descriptor "${item}": ${what}; allowed: ${allowed}`;
  return { error, field: 'descriptor', item, allowed };
}
