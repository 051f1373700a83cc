/** The units of a duration and their milliseconds, largest first. */
const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;
type Unit = keyof typeof unitMs;

/** What was wrong with a duration, for people. */
interface DurationFault {
  readonly error: string;
}

/** Longer texts are refused before anything looks at them. */
const durationTextMax = 40;

/**
 * Reads `1h30m`, `30s`, `500ms`, `2d`, `1.5h` as milliseconds. Every number needs its unit, since
 * a bare `30` is minutes to one reader and seconds to another.
 * @returns whole milliseconds, or a fault that says what is allowed. Never throws.
 */
export function parseDuration(
  text: string,
  allowed: readonly Unit[] = ['d', 'h', 'm', 's', 'ms'],
): number | DurationFault {
  const units = allowed.join(', ');
  const wrong = `"${text.slice(0, durationTextMax)}" is not a duration`;
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)[a-z]+)+$/.test(text) || text.length > durationTextMax) {
    return { error: `${wrong}; write numbers with units (${units}), e.g. 1h30m` };
  }
  let totalMs = 0;
  for (const [, digits = '', unit = ''] of text.matchAll(/([\d.]+)([a-z]+)/g)) {
    if (!isUnit(unit) || !allowed.includes(unit)) {
      return { error: `${wrong}: unknown unit "${unit}"; allowed are ${units}` };
    }
    totalMs += termMs(digits, unitMs[unit]);
  }
  if (!Number.isInteger(totalMs) || totalMs > Number.MAX_SAFE_INTEGER) {
    return { error: `${wrong} in whole milliseconds` };
  }
  return totalMs;
}

/** Writes milliseconds the way that `parseDuration` reads them: `1h30m`, `500ms`, `0s`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 0) return `-${formatDuration(-durationMs)}`;
  let restMs = Math.round(durationMs);
  if (restMs === 0) return '0s';
  let text = '';
  for (const [unit, ms] of Object.entries(unitMs)) {
    const many = Math.floor(restMs / ms);
    if (many > 0) text += `${many}${unit}`;
    restMs -= many * ms;
  }
  return text;
}

/** Scaled integers, because 0.1 h summed in floating point is not 360000 ms for every fraction. */
function termMs(digits: string, ms: number): number {
  const [whole = '', fraction = ''] = digits.split('.');
  const scale = 10 ** fraction.length;
  return Number(whole || '0') * ms + (Number(fraction || '0') * ms) / scale;
}

function isUnit(unit: string): unit is Unit {
  return Object.hasOwn(unitMs, unit);
}
