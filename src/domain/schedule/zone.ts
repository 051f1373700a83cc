/** A stretch of time in which a zone's clock runs evenly. All in seconds; [start, end). */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Wall time minus UTC. */
  readonly offset: number;
  /** The offset just before `start`; greater: the wall times at the start come a second time. */
  readonly offsetBefore: number;
  /** The offset from `end` on. */
  readonly offsetAfter: number;
}

/** A time zone as the spans of its clock, found on demand and kept. */
export interface Zone {
  readonly spanAt: (second: number) => Span;
}

/**
 * What becomes of a schedule where its zone's clock is set forward or back. `gap`: of a wall time
 * that the clock jumps over; `shift` runs once, at the first instant after the gap, however many
 * matches fell into it. `fold`: which passes of a wall time that comes twice run.
 */
export interface ClockChangeRule {
  readonly gap: 'skip' | 'shift';
  readonly fold: 'first' | 'second' | 'both';
}

const zones = new Map<string, Zone>();

/** The zone of a name that `Intl` knows. Cached for good: there are about 600 names. */
export function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = name === 'UTC' ? utc : readZone(name);
    zones.set(name, zone);
  }
  return zone;
}

const utcSpan: Span = {
  start: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
  offset: 0,
  offsetBefore: 0,
  offsetAfter: 0,
};
const utc: Zone = { spanAt: () => utcSpan };

/**
 * Offsets are sampled every six days and the changes between two samples bisected. The closest two
 * changes of any zone since 1970 are 6.96 days apart (America/Boa_Vista, October 2000), so none is
 * missed. A chunk costs 64 samples of about 1 µs and 19 more for each change, once.
 */
const sampleSeconds = 6 * 86_400;
const chunkSeconds = 64 * sampleSeconds;

/** Chunks kept of a zone: more than two centuries of them, about 60 kB. */
const chunksMax = 256;

/**
 * Places one wall time in a zone, in seconds: in a gap the first instant after it (null when the
 * rule skips gaps), in an overlap the first pass, or the second when the rule says so.
 */
export function instantOfWall(zone: Zone, wall: number, rule: ClockChangeRule): number | null {
  // No offset is larger than 15 hours, so the wall time comes later than this and within two days.
  let span = zone.spanAt(wall - 86_400);
  while (wall >= span.end + span.offset) span = zone.spanAt(span.end);
  if (wall < span.start + span.offset) return rule.gap === 'skip' ? null : span.start;
  if (rule.fold === 'second' && wall >= span.end + span.offsetAfter) return wall - span.offsetAfter;
  return wall - span.offset;
}

function readZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const offsetAt = (second: number): number => readOffset(format.format(second * 1000));
  const chunks = new Map<number, readonly Span[]>();
  let latest: Span | null = null;
  const spanAt = (second: number): Span => {
    if (latest !== null && second >= latest.start && second < latest.end) return latest;
    const index = Math.floor(second / chunkSeconds);
    let spans = chunks.get(index);
    if (spans === undefined) {
      spans = readSpans(offsetAt, index * chunkSeconds);
      if (chunks.size >= chunksMax) chunks.clear();
      chunks.set(index, spans);
    }
    const span = spans.find(({ end }) => second < end);
    if (span === undefined) throw new RangeError(`no span of ${name} holds second ${second}`);
    latest = span;
    return span;
  };
  return { spanAt };
}

function readSpans(offsetAt: (second: number) => number, chunkStart: number): readonly Span[] {
  const chunkEnd = chunkStart + chunkSeconds;
  const spans: Span[] = [];
  let start = chunkStart;
  let offsetBefore = offsetAt(start - 1);
  let offset = offsetAt(start);
  for (let sample = chunkStart; sample < chunkEnd; sample += sampleSeconds) {
    const later = offsetAt(sample + sampleSeconds);
    // The chunk's last sample is the first of the next: a change right there is `offsetAfter`.
    const change = later === offset ? chunkEnd : bisect(offsetAt, sample, sample + sampleSeconds);
    if (change >= chunkEnd) continue;
    spans.push({ start, end: change, offset, offsetBefore, offsetAfter: later });
    start = change;
    offsetBefore = offset;
    offset = later;
  }
  spans.push({ start, end: chunkEnd, offset, offsetBefore, offsetAfter: offsetAt(chunkEnd) });
  return spans;
}

/** The first second in (low, high] whose offset is not that of `low`. */
function bisect(offsetAt: (second: number) => number, low: number, high: number): number {
  const offset = offsetAt(low);
  let before = low;
  let after = high;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** Reads `1/31/1970, GMT-00:44:30`; `GMT` alone is zero. Seconds occur: Liberia until 1972. */
function readOffset(text: string): number {
  const match = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
  if (match === null) throw new Error(`Intl wrote an offset that is not understood: ${text}`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}
