import { nearNames } from '../../text/didYouMean.ts';
import type { ScheduleFault } from '../schedule.ts';

/**
 * Checks a zone: `UTC`, or an IANA name with a slash that this Node's `Intl` has (its links too,
 * e.g. `US/Eastern`). Abbreviations and offsets are refused: `CST` is Chicago, Shanghai and
 * Havana, and `UTC+8` is +8 to people and -8 to POSIX. Names come back in the case that `Intl`
 * lists.
 */
export function readTimezone(name: string): { readonly timezone: string } | ScheduleFault {
  if (/^utc$/i.test(name)) return { timezone: 'UTC' };
  const shape = /^[A-Za-z][A-Za-z_]*(?:\/[A-Za-z][A-Za-z0-9_+-]*){1,2}$/;
  if (name.length <= 64 && shape.test(name)) {
    const listed = listedZones().get(name.toLowerCase());
    if (listed !== undefined) return { timezone: listed };
    if (isKnownToIntl(name)) return { timezone: name };
  }
  return fault(name);
}

/**
 * Three names of tzdata are fixed offsets the whole year and stand in existing crontabs as
 * `TZ=EST`. As a line's own prefix they are read as what its old scheduler did, with a warning;
 * as a job's zone they are refused, since people who write EST mean New York.
 */
export function readPrefixTimezone(
  name: string,
): { readonly timezone: string; readonly warning?: string } | ScheduleFault {
  const fixed = fixedOffsets.get(name);
  if (fixed === undefined) return readTimezone(name);
  const [timezone, place] = fixed;
  return {
    timezone,
    warning: `${name} is read as ${timezone}, without daylight saving; ${place} may be meant`,
  };
}

const fixedOffsets: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['EST', ['Etc/GMT+5', 'America/New_York']],
  ['MST', ['Etc/GMT+7', 'America/Denver']],
  ['HST', ['Etc/GMT+10', 'Pacific/Honolulu']],
]);

/** Whether two names are one zone, e.g. Asia/Calcutta and Asia/Kolkata. */
export function isSameTimezone(one: string, other: string): boolean {
  return one === other || resolved(one) === resolved(other);
}

function fault(name: string): ScheduleFault {
  const allowed = 'UTC or an IANA name such as Europe/London';
  const shown = name.slice(0, 64);
  let hint = '';
  const offset = /^(?:UTC|GMT)?([+-])0?(\d{1,2})(?::?00)?$/i.exec(name);
  if (offset !== null) {
    const posixSign = offset[1] === '+' ? '-' : '+';
    hint = ` (for that offset write Etc/GMT${posixSign}${offset[2]}: its sign is POSIX's)`;
  } else if (/^[A-Za-z]{3,4}$/.test(name)) {
    hint = ' (abbreviations are ambiguous)';
  }
  const near = hint === '' ? zonesNear(shown) : [];
  if (near.length > 0) hint = ` (did you mean ${near.join(' or ')}?)`;
  return {
    error: `"${shown}" is not a zone${hint}; allowed: ${allowed}`,
    field: 'timezone',
    item: shown,
    allowed,
  };
}

/** Zones with a name like it, or with a city like it. */
function zonesNear(name: string): string[] {
  const zones = [...listedZones().values()];
  const near = nearNames(name, zones);
  if (near.length > 0) return near;
  const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);
  const cities = new Set(nearNames(cityOf(name.replaceAll(' ', '_')), zones.map(cityOf)));
  return zones.filter((zone) => cities.has(cityOf(zone))).slice(0, 3);
}

let listed: ReadonlyMap<string, string> | null = null;

function listedZones(): ReadonlyMap<string, string> {
  listed ??= new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone]));
  return listed;
}

function isKnownToIntl(name: string): boolean {
  try {
    return resolved(name) !== '';
  } catch {
    // `Intl` throws a RangeError for a name that it does not know; there is no other query.
    return false;
  }
}

function resolved(name: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
}
