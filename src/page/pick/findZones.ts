import { knownZones, type Zone, zoneName, zoneOffsetMs } from '../text/formatTime.ts';

/** A zone, and what else it is called. */
interface ZoneFound {
  readonly zone: Zone;
  /** `GMT+9, Japan Standard Time, +09:00`. */
  readonly more: string;
}

/**
 * Zones by a part of the name of a city, by what a zone is called (`JST`, `Japan Standard Time`),
 * or by how far its clocks are from UTC now (`+09:00`, `UTC-3`). What is called so comes first.
 */
export function findZones(text: string, nowMs: number): readonly ZoneFound[] {
  const wanted = plain(text);
  if (wanted === '') return [];
  const offsetMs = offsetIn(wanted);
  const all = ['UTC', ...knownZones].map((zone) => namesOf(zone, nowMs));
  if (offsetMs !== null) return all.filter((each) => each.offsetMs === offsetMs);
  const ranked = all
    .map((each) => ({ ...each, rank: rankOf(each.names, wanted) }))
    .filter(({ rank }) => rank < 3);
  return ranked.sort((one, other) => one.rank - other.rank);
}

/** What a zone is called besides its name. */
export function zoneMore(zone: Zone, nowMs: number): string {
  return namesOf(zone, nowMs).more;
}

function plain(text: string): string {
  return text.trim().toLowerCase().replaceAll('_', ' ');
}

function rankOf(names: readonly string[], wanted: string): number {
  if (names.includes(wanted)) return 0;
  if (names.some((name) => name.startsWith(wanted))) return 1;
  return names.some((name) => name.includes(wanted)) ? 2 : 3;
}

const known = new Map<Zone, ReturnType<typeof readNames>>();

function namesOf(zone: Zone, nowMs: number) {
  const names = known.get(zone) ?? readNames(zone, nowMs);
  known.set(zone, names);
  return names;
}

function readNames(zone: Zone, nowMs: number) {
  const offsetMs = zoneOffsetMs(zone, nowMs);
  const long = longName(zone, nowMs);
  const short = zoneName(zone, nowMs);
  // English has no abbreviation of most zones; their own are these letters: Japan Standard Time.
  const letters = /^(\p{Lu}\S* )+Time$/u.test(long) ? long.replace(/\P{Lu}/gu, '') : '';
  const offset = offsetText(offsetMs);
  const city = zone.slice(zone.lastIndexOf('/') + 1);
  const called = [...new Set([short, long, offset])].filter((each) => each !== zone);
  return {
    ...{ zone, offsetMs, more: called.join(', ') },
    names: [city, newNames[zone] ?? city, letters, short, long, zone].map(plain),
  };
}

/** Cities that browsers list by an older name. */
const newNames: Readonly<Record<Zone, string>> = {
  ...{ 'Asia/Calcutta': 'Kolkata', 'Asia/Katmandu': 'Kathmandu', 'Asia/Rangoon': 'Yangon' },
  ...{ 'Asia/Saigon': 'Ho Chi Minh', 'Europe/Kiev': 'Kyiv' },
};

function longName(timeZone: Zone, atMs: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'long' });
  return parts.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / 60_000;
  const two = (value: number) => `${Math.floor(value)}`.padStart(2, '0');
  return `${ms < 0 ? '−' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

function offsetIn(text: string): number | null {
  const [, sign, hours, minutes = '0'] =
    /^(?:utc|gmt)? ?([+−-])(\d{1,2})(?::?(\d\d))?$/.exec(text) ?? [];
  if (sign === undefined) return null;
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '+' ? ms : -ms;
}
