/** A zone of the reader's choice: an IANA name. */
export type Zone = string;

/** The zone of this browser. */
export const localZone: Zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** All zones that this browser knows, by their names. */
export const knownZones: readonly Zone[] = Intl.supportedValuesOf('timeZone');

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  const made =
    formats.get(key) ??
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone, hourCycle: 'h23' });
  formats.set(key, made);
  return made;
}

const date = { year: 'numeric', month: 'short', day: '2-digit' } as const;
const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

/** Today `14:03:05`; on another day with its date: `24 Nov 14:03`, `24 Nov 2025 14:03`. */
export function formatTime(ms: number, zone: Zone, nowMs: number): string {
  const dayOf = (at: number) => format(zone, date).format(at);
  if (dayOf(ms) === dayOf(nowMs)) return format(zone, time).format(ms);
  const isYear = dayOf(ms).slice(-4) === dayOf(nowMs).slice(-4);
  const { year, ...dayOfYear } = date;
  const shown = isYear ? dayOfYear : { ...dayOfYear, year };
  return format(zone, { ...shown, hour: '2-digit', minute: '2-digit' })
    .format(ms)
    .replace(',', '');
}

/** With its day: `Wed 25 Nov 14:03:05`, of another year `Wed 25 Nov 2027 14:03:05`. */
export function formatDayTime(ms: number, zone: Zone, nowMs: number): string {
  const text = formatFullTime(ms, zone).replace(',', '');
  const year = formatFullTime(nowMs, zone).slice(-13, -9);
  return text.replace(` ${year} `, ' ');
}

/** All of it: `Wed, 25 Nov 2026 14:03:05`. */
export function formatFullTime(ms: number, zone: Zone): string {
  const text = format(zone, { weekday: 'short', ...date, ...time }).format(ms);
  return text.replace(/(\d{4}),/, '$1');
}

/** The time of day: `14:03`. */
export function formatClock(ms: number, zone: Zone): string {
  return format(zone, { hour: '2-digit', minute: '2-digit' }).format(ms);
}

/** The day of the year: `25 Nov`. */
export function formatDay(ms: number, zone: Zone): string {
  return format(zone, { month: 'short', day: '2-digit' }).format(ms);
}

/** How far the clocks of a zone are from UTC at an instant. */
export function zoneOffsetMs(zone: Zone, ms: number): number {
  const parts = format(zone, { ...date, ...time, month: '2-digit' }).formatToParts(ms);
  const [year, month, day, hour, minute, second] = [
    ...(['year', 'month', 'day', 'hour', 'minute', 'second'] as const),
  ].map((type) => Number(parts.find((part) => part.type === type)?.value));
  const local = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  return local - Math.floor(ms / 1_000) * 1_000;
}

/** What the zone is called at an instant: `CET`, `GMT+9`, `UTC`. */
export function zoneName(zone: Zone, atMs: number): string {
  const parts = format(zone, { timeZoneName: 'short' }).formatToParts(atMs);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** Whether the browser knows the zone. */
export function isKnownZone(zone: Zone): boolean {
  try {
    return format(zone, time) !== undefined;
  } catch {
    return false; // the node's time zone data may be newer than the browser's
  }
}
