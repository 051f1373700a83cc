import { RunTrail } from './runTrail.ts';

/**
 * How far a client has come, as the `id` of events says it and `Last-Event-ID` brings it back, to
 * whichever node. `sessionsMs`: what sessions came and went until then, by the database's clock.
 */
export interface StreamPosition {
  readonly sessionsMs: number;
  readonly trail: RunTrail;
  /** The gaps were too many to be named: what is above the lowest may come a second time. */
  readonly isCoarse: boolean;
}

/**
 * Writes a position: `SESSIONS.HIGH` with what is missing below `HIGH`, as distances from it
 * (`.3_7-2`: the numbers `HIGH - 3`, and two from `HIGH - 7` on), or `.*LOW` when that is too long
 * to be said; all numbers in base 36.
 */
export function writePosition(sessionsMs: number, trail: RunTrail): string {
  const { high } = trail;
  const head = `${sessionsMs.toString(36)}.${high.toString(36)}`;
  if (trail.gapCount === 0) return head;
  const ranges: string[] = [];
  let from = Number.NaN;
  let length = 0;
  const close = (): void => {
    if (length === 0) return;
    const distance = (high - from).toString(36);
    ranges.push(length === 1 ? distance : `${distance}-${length.toString(36)}`);
  };
  for (const gap of trail.gaps) {
    if (gap === from + length) {
      length += 1;
      continue;
    }
    close();
    if (ranges.length >= rangesMax) return `${head}.*${trail.low.toString(36)}`;
    from = gap;
    length = 1;
  }
  close();
  return `${head}.${ranges.join('_')}`;
}

const rangesMax = 40;
/** More than any that is written: 41 ranges of two numbers. */
const charactersMax = 1_000;

/** Reads a position; null when it is none. Its gaps are as old as the position may be. */
export function readPosition(text: string, nowMs: number): StreamPosition | null {
  if (text.length > charactersMax) return null;
  const parts = /^([0-9a-z]{1,10})\.([0-9a-z]{1,10})(?:\.(\*[0-9a-z]{1,10}|[0-9a-z_-]+))?$/.exec(
    text,
  );
  if (parts === null) return null;
  const [sessionsMs, high] = [number(parts[1]), number(parts[2])];
  const missing = parts[3] ?? '';
  if (sessionsMs === null || high === null) return null;
  if (missing.startsWith('*')) {
    const low = number(missing.slice(1));
    if (low === null || low > high) return null;
    return { sessionsMs, trail: new RunTrail(low), isCoarse: true };
  }
  const gaps = missing === '' ? [] : readGaps(missing, high);
  if (gaps === null) return null;
  return { sessionsMs, trail: new RunTrail(high, gaps, nowMs), isCoarse: false };
}

function readGaps(text: string, high: number): number[] | null {
  const gaps: number[] = [];
  for (const range of text.split('_')) {
    const [distanceText, lengthText] = range.split('-');
    const distance = number(distanceText);
    const length = lengthText === undefined ? 1 : number(lengthText);
    if (distance === null || length === null || distance > high) return null;
    if (length > distance || gaps.length + length > gapsMax) return null;
    for (let each = 0; each < length; each += 1) gaps.push(high - distance + each);
  }
  return gaps;
}

/** As many as a trail keeps. */
const gapsMax = 20_000;

function number(text: string | undefined): number | null {
  if (text === undefined || !/^[0-9a-z]{1,11}$/.test(text)) return null;
  const value = Number.parseInt(text, 36);
  return Number.isSafeInteger(value) ? value : null;
}
