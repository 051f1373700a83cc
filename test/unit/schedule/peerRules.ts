import { parseSchedule } from '../../../src/domain/schedule/read/parseSchedule.ts';
import { nextTick, nextTicks } from '../../../src/domain/schedule/ticks.ts';
import { instantOfWall, type Zone, zoneOf } from '../../../src/domain/schedule/zone.ts';
import { read } from './read.ts';

export type Peer = 'robfig' | 'cronexpr' | 'quartz' | 'crond';

/** What a peer was asked: its own spelling, a zone and an instant. */
export interface Asked {
  readonly expression: string;
  readonly zone: string;
  readonly from: string;
  /** Until when it was watched, where it did not compute ahead. */
  readonly until: string | null;
}

/** A class of differences: where it applies, and what the peer then answers; null: it refuses. */
export interface PeerRule {
  readonly name: string;
  readonly applies: (asked: Asked, theirs: string[] | null) => boolean;
  readonly answer: (asked: Asked, count: number, theirs: string[] | null) => string[] | null;
}

/** How each peer differs from our rules, told by rules: no list of lines. */
export const peerRules: Readonly<Record<Peer, readonly PeerRule[]>> = {
  robfig: [
    {
      name: 'what never comes has no answer, we refuse it',
      applies: isNever,
      answer: () => [],
    },
    {
      name: 'every: any Go duration, of a second at least, cut to seconds',
      applies: ({ expression }) => expression.startsWith('@every '),
      answer: ({ expression, from }, count) => {
        const seconds = Math.max(1, Math.trunc(goSeconds(expression.slice('@every '.length))));
        const start = Math.floor(Date.parse(from) / 1000);
        return isoAll(Array.from({ length: count }, (_, index) => start + (index + 1) * seconds));
      },
    },
    {
      name: 'an empty zone in the text is UTC',
      applies: ({ expression }) => expression.startsWith('CRON_TZ= '),
      answer: (asked, count) =>
        ours({ ...asked, expression: asked.expression.slice('CRON_TZ= '.length) }, count),
    },
    {
      name: 'clock changes: skips every gap, runs in both passes',
      applies: isNearChange,
      answer: robfigAnswer,
    },
    {
      name: 'its bug: misses the match after a clock change that is not of whole hours',
      applies: (asked) => changesNear(asked).some(({ size }) => size % 3600 !== 0),
      answer: (asked, count) => {
        const [at = 0] = changesNear(asked).map((change) => change.at);
        const answer = robfigAnswer(asked, count + 1) ?? [];
        const missed = answer.findIndex((instant) => Date.parse(instant) > at * 1000);
        return answer.filter((_, place) => place !== missed);
      },
    },
  ],
  cronexpr: [
    { name: 'what never comes has no answer, we refuse it', applies: isNever, answer: () => [] },
    {
      name: 'its own fields: six have the year last, */1 restricts, a range to 7 ends in 0',
      applies: ({ expression }) => asCronexpr(expression) !== expression,
      answer: (asked, count) => {
        const expression = asCronexpr(asked.expression);
        return expression === null ? [] : until2099(ours({ ...asked, expression }, count));
      },
    },
    {
      name: 'its years end in 2099',
      applies: (asked) => (ours(asked, 5)?.at(-1) ?? '') >= '2100',
      answer: (asked, count) => until2099(ours(asked, count)),
    },
    {
      name: 'clock changes: the next wall time, placed as Go places one that is none or two',
      applies: isNearChange,
      answer: (asked, count) => walkWalls(asked, count, 'unix', goInstant),
    },
    {
      name: 'its bug: stands still',
      applies: (_, theirs) => theirs?.length === 5 && new Set(theirs).size === 1,
      answer: (_asked, _count, theirs) => theirs,
    },
  ],
  quartz: [
    { name: 'what never comes has no answer, we refuse it', applies: isNever, answer: () => [] },
    {
      name: 'ranges wrap, a step needs no start, years go beyond 2099',
      applies: ({ expression }) => asQuartz(expression) !== expression,
      answer: (asked, count) =>
        ours({ ...asked, expression: asQuartz(asked.expression) }, count, {}, 'quartz') ?? [],
    },
    {
      name: 'its bug: a list of L-n and L-nW is L-n',
      applies: ({ expression }) => lastInList.test(expression),
      answer: (asked, count) => {
        const expression = asked.expression.replace(lastInList, '$1');
        return ours({ ...asked, expression }, count, {}, 'quartz');
      },
    },
    {
      name: 'it gives up a hundred years after it was asked, in 2026',
      applies: (asked) => (ours(asked, 5, {}, 'quartz')?.at(-1) ?? '') >= '2127',
      answer: (asked, count) =>
        (ours(asked, count, {}, 'quartz') ?? []).filter((instant) => instant < '2127'),
    },
    {
      name: 'a year that it would not reach is no fault',
      applies: ({ expression }) => Number(expression.split(' ')[6] ?? '') > 2126,
      answer: () => [],
    },
    {
      name: 'clock changes: skips every gap, the next wall time is in the second pass',
      applies: isNearChange,
      answer: (asked, count) =>
        walkWalls(asked, count, 'quartz', (_, wall) =>
          instantOfWall(zoneOf(asked.zone), wall, { gap: 'skip', fold: 'second' }),
        ),
    },
  ],
  crond: [
    {
      name: 'it has five fields and no ?, N/n, L, W, #, nor long names',
      applies: ({ expression }) => !isCrontab(expression),
      answer: () => null,
    },
    { name: 'what never comes has no answer, we refuse it', applies: isNever, answer: () => [] },
    {
      name: 'a day field that starts with a star asks for both; only stars make an interval',
      applies: ({ expression }) => isCrontab(expression),
      answer: crondAnswer,
    },
    {
      name: 'started at the very change it runs what the gap skipped a minute later',
      applies: (asked) => changesNear(asked).some(({ at }) => at * 1000 === Date.parse(asked.from)),
      answer: (asked) => [...isoAll([Date.parse(asked.from) / 1000 + 60]), ...crondAnswer(asked)],
    },
  ],
};

/** Our answer by our own rules, or with some of another's. */
export function ours(
  { expression, zone, from }: Asked,
  count: number,
  rule: object = {},
  dialect: 'unix' | 'quartz' = 'unix',
): string[] | null {
  const schedule = parseSchedule(expression, { defaultTimezone: zone, dialect, ...rule });
  if ('error' in schedule) return null;
  return isoAll(nextTicks(schedule, Date.parse(from), count).map((ms) => ms / 1000));
}

function isNever({ expression }: Asked): boolean {
  const schedule = parseSchedule(expression);
  return 'error' in schedule && / names no time within /.test(schedule.error);
}

function robfigAnswer(asked: Asked, count: number): string[] | null {
  return ours(asked, count, { gap: 'skip', fold: 'both' });
}

function isNearChange(asked: Asked): boolean {
  return changesNear(asked).length > 0;
}

/** The zone's clock changes between a day before the question and the last of our answers. */
function changesNear(asked: Asked): { readonly at: number; readonly size: number }[] {
  const clock = clockOf(asked);
  const until = Date.parse(ours(asked, 5)?.at(-1) ?? asked.from) / 1000;
  const found: { at: number; size: number }[] = [];
  for (let at = Math.floor(Date.parse(asked.from) / 1000) - 86_400; at <= until; ) {
    const { end, offset, offsetAfter } = clock.spanAt(at);
    if (offset !== offsetAfter) found.push({ at: end, size: offsetAfter - offset });
    at = end;
  }
  return found;
}

const lastInList = /(L-\d+)W,\1(?= )/;

function clockOf({ expression, zone }: Asked): Zone {
  return zoneOf(/^(?:CRON_)?TZ=(\S+) /.exec(expression)?.[1] ?? zone);
}

/**
 * Steps from wall time to wall time, as peers do that place each anew. Quartz begins with what the
 * clock shows a second later, cronexpr after what it shows now.
 */
function walkWalls(
  asked: Asked,
  count: number,
  dialect: 'unix' | 'quartz',
  place: (zone: Zone, wall: number) => number | null,
): string[] {
  const walls = read(asked.expression, { timezone: 'UTC', dialect });
  const clock = clockOf(asked);
  const ahead = dialect === 'quartz' ? 1 : 0;
  const shownAt = (at: number): number => at + clock.spanAt(at + ahead).offset;
  let wall = shownAt(Math.floor(Date.parse(asked.from) / 1000));
  const found: number[] = [];
  while (found.length < count) {
    wall = (nextTick(walls, wall * 1000) ?? Number.NaN) / 1000;
    const instant = place(clock, wall);
    if (instant === null) continue;
    found.push(instant);
    wall = shownAt(instant);
  }
  return isoAll(found);
}

/** Go's time.Date: the offset at the wall time read as UTC, unless it does not hold there. */
function goInstant(zone: Zone, wall: number): number {
  const { start, end, offset } = zone.spanAt(wall);
  const instant = wall - offset;
  if (instant < start) return wall - zone.spanAt(start - 1).offset;
  return instant >= end ? wall - zone.spanAt(end).offset : instant;
}

/** cronexpr's fields in ours; null when they never match. */
function asCronexpr(expression: string): string | null {
  if (expression.startsWith('@')) return expression;
  const written = expression.split(' ');
  const fields = written.length === 6 ? ['0', ...written] : written;
  const dayOfMonth = fields.length === 5 ? 2 : 3;
  const texts = fields.map((field, place) => {
    if (place === dayOfMonth) return field.replace(/\*\/1$/, '1-31');
    if (place !== dayOfMonth + 2) return field;
    return field.replace(/\*\/1$/, '0-6').replace(/^0-7$/, '0');
  });
  return /^[1-6]-7$/.test(texts[dayOfMonth + 2] ?? '') ? null : texts.join(' ');
}

/** Quartz's fields in ours. */
function asQuartz(expression: string): string {
  const bounds = [
    [0, 59],
    [0, 59],
    [0, 23],
    [1, 31],
    [1, 12],
    [1, 7],
    [1970, 2099],
  ] as const;
  const numberOf = (word: string): number => {
    const place = names.indexOf(word.toUpperCase());
    return place < 0 ? Number(word) : place < 12 ? place + 1 : place - 11;
  };
  return expression
    .split(' ')
    .map((field, place) => {
      const [min, max] = bounds[place] ?? [0, 0];
      const range = /^(\w+)-(\w+)$/.exec(field);
      if (/^\/\d+$/.test(field)) return `${min}${field}`;
      if (range === null) return field;
      const [low, high] = [numberOf(range[1] ?? ''), numberOf(range[2] ?? '')];
      if (high > max) return `${low}-${max}`;
      return low > high ? `${low}-${max},${min}-${high}` : field;
    })
    .join(' ');
}

const names = [
  ...['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
  ...['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
];

/** Whether cronie reads it. */
function isCrontab(expression: string): boolean {
  if (expression.startsWith('@')) return true;
  const value = '(\\d+|[A-Za-z]{3})';
  const item = `(\\*(/\\d+)?|${value}(-${value}(/\\d+)?)?)`;
  return new RegExp(`^${item}(,${item})*( ${item}(,${item})*){4}$`).test(expression);
}

function crondAnswer(asked: Asked): string[] {
  const { expression, zone, from, until } = asked;
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expression.split(' ');
  const isInterval = expression.startsWith('@') || minute.startsWith('*') || hour.startsWith('*');
  const rule = isInterval
    ? ({ gap: 'skip', fold: 'both' } as const)
    : ({ gap: 'shift', fold: 'first' } as const);
  const isBoth = (day.startsWith('*') || weekday.startsWith('*')) && weekday !== '';
  const texts = isBoth
    ? [`${minute} ${hour} ${day} ${month} *`, `${minute} ${hour} * ${month} ${weekday}`]
    : [expression];
  const [first = [], ...others] = texts.map((text) => {
    const schedule = read(text, { timezone: zone, ...(weekday === '' ? {} : rule) });
    return nextTicks(schedule, Date.parse(from), 10_000);
  });
  const untilMs = Date.parse(until ?? from);
  const both = first.filter((tick) => others.every((ticks) => ticks.includes(tick)));
  return isoAll(both.filter((tick) => tick <= untilMs).map((ms) => ms / 1000));
}

/** A Go duration in seconds. */
function goSeconds(text: string): number {
  const units: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 };
  const parts = [...text.matchAll(/([\d.]+)(ms|us|ns|h|m|s)/g)];
  const size = parts.reduce((sum, [, number, unit]) => {
    return sum + Number(number) * (units[unit ?? ''] ?? Number.NaN);
  }, 0);
  return text.startsWith('-') ? -size : size;
}

function until2099(instants: string[] | null): string[] {
  return (instants ?? []).filter((instant) => instant < '2100');
}

function isoAll(seconds: readonly number[]): string[] {
  return seconds.map((second) => new Date(second * 1000).toISOString().replace('.000', ''));
}
