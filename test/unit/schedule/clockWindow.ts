/** A stretch of real time around a change of a zone's clock, as the wall times that people saw. */
export interface ClockWindow {
  readonly zone: string;
  /** Epoch seconds, every `stepSeconds`. */
  readonly instants: readonly number[];
  /** The wall time at each, as seconds since 1970 in no zone. */
  readonly walls: readonly number[];
}

export const stepSeconds = 60;

/** Zones and days around a change; each of another kind. */
export const changes: readonly (readonly [zone: string, day: string])[] = [
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Europe/London', '2026-03-29'],
  ['Europe/London', '2026-10-25'],
  // Half an hour.
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  // Offsets of 45 minutes, at 3:45.
  ['Pacific/Chatham', '2026-04-05'],
  ['Pacific/Chatham', '2026-09-27'],
  // A whole day that never was.
  ['Pacific/Apia', '2011-12-30'],
  // At midnight.
  ['America/Sao_Paulo', '2018-02-18'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/Havana', '2026-11-01'],
  ['Africa/Cairo', '2026-04-24'],
  ['Africa/Cairo', '2026-10-30'],
  // Two hours.
  ['Antarctica/Troll', '2026-03-29'],
  ['Antarctica/Troll', '2026-10-25'],
  // A week between two changes.
  ['America/Boa_Vista', '2000-10-09'],
  ['America/Boa_Vista', '2000-10-15'],
  // Ramadan.
  ['Africa/Casablanca', '2026-02-15'],
  ['Africa/Casablanca', '2026-03-22'],
  // No daylight saving: politics.
  ['Asia/Pyongyang', '2015-08-15'],
  ['America/Caracas', '2016-05-01'],
  ['UTC', '2026-03-29'],
];

/** Five days around the change, read from Intl's parts, a way that the code under test goes not. */
export function clockWindow(zone: string, day: string): ClockWindow {
  const middle = Date.parse(`${day}T00:00:00Z`) / 1000;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const instants: number[] = [];
  const walls: number[] = [];
  for (let at = middle - 2.5 * 86_400; at < middle + 2.5 * 86_400; at += stepSeconds) {
    const [month = 0, date = 0, year = 0, hour = 0, minute = 0, second = 0] = format
      .format(at * 1000)
      .split(/\D+/)
      .map(Number);
    instants.push(at);
    walls.push(Date.UTC(year, month - 1, date, hour, minute, second) / 1000);
  }
  return { zone, instants, walls };
}

/**
 * The ticks of a window by the rules said in the plainest way: run through the real time, look at
 * the clock, note the wall times that were jumped over and those that were seen before.
 */
export function ticksByWatching(
  window: ClockWindow,
  matches: (wall: number) => boolean,
  rule: { gap: 'skip' | 'shift'; fold: 'first' | 'second' | 'both' },
): number[] {
  const passes = new Map<number, number>();
  for (const wall of window.walls) passes.set(wall, (passes.get(wall) ?? 0) + 1);
  const seen = new Map<number, number>();
  const ticks: number[] = [];
  let before = window.walls[0] ?? 0;
  for (const [index, wall] of window.walls.entries()) {
    const pass = (seen.get(wall) ?? 0) + 1;
    seen.set(wall, pass);
    const wanted = rule.fold === 'both' || pass === (rule.fold === 'first' ? 1 : passes.get(wall));
    let isTick = wanted && matches(wall);
    for (let skipped = before + stepSeconds; skipped < wall; skipped += stepSeconds) {
      isTick ||= rule.gap === 'shift' && matches(skipped);
    }
    if (isTick) ticks.push((window.instants[index] ?? 0) * 1000);
    before = wall;
  }
  return ticks;
}
