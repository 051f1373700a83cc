const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A span for people, in its two largest units: `4.2 s`, `3 min 12 s`, `2 h 5 min`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  const span = Math.abs(ms);
  if (span < second) return `${Math.round(span)} ms`;
  if (span < 9_950) return `${(span / second).toFixed(1)} s`;
  if (span < minute - 500) return `${Math.round(span / second)} s`;
  if (span < hour) return pair(span, minute, 'min', second, 's');
  if (span < day) return pair(span, hour, 'h', minute, 'min');
  return pair(span, day, 'd', hour, 'h');
}

/** The same in whole seconds, for what counts down: it does not jump between units. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / second));
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * second);
}

/** How long until something; seconds in the last minute alone, as what moves is looked at. */
export function formatUntil(ms: number): string {
  if (ms <= minute) return formatCountdown(ms);
  return ms < hour ? `${Math.floor(ms / minute)} min` : formatDuration(ms);
}

/** The same in its largest unit alone, rounded down: for how long ago something was. */
export function formatAge(ms: number): string {
  const age = Math.max(0, ms);
  if (age < minute) return `${Math.floor(age / second)} s`;
  if (age < hour) return `${Math.floor(age / minute)} min`;
  return age < 2 * day ? `${Math.floor(age / hour)} h` : `${Math.floor(age / day)} d`;
}

function pair(span: number, large: number, largeName: string, small: number, smallName: string) {
  const rounded = Math.floor(span / small) * small;
  const [most, rest] = [Math.floor(rounded / large), Math.floor((rounded % large) / small)];
  return rest === 0 ? `${most} ${largeName}` : `${most} ${largeName} ${rest} ${smallName}`;
}
