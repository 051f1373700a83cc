import { InvalidArgumentError } from 'commander';
import {
  parseInstantIn,
  parseTimeOfDay,
  whyNoInstant,
} from '../../domain/schedule/parseInstantIn.ts';
import { parseDuration } from '../../domain/time/duration.ts';
import { parseInstant } from '../../domain/time/parseInstant.ts';
import type { Since } from '../../domain/verify/since.ts';
import type { PauseEnd } from '../../store/jobs/changes/changeJob.ts';
import { formatInstant, localTimezone } from '../output/formatInstant.ts';
import { printNote } from '../output/print.ts';

/**
 * What a text means in a zone: dates and local times have none. It is that of the job where one is
 * meant, else that of the terminal. `isFixed`: it means the same in each.
 */
export type InZone<Meaning> = ((timezone?: string) => Meaning) & { readonly isFixed?: true };

/** Reads an option that is an instant, a date, a local time or a time of day: the next one. */
export function readInstant(text: string): InZone<number> {
  return said(text, instantOf(text, 'next')) ?? refuse(text);
}

/** The same of a time that is over: the last one of a time of day. */
export function readPast(text: string): InZone<number> {
  return said(text, instantOf(text, 'last')) ?? refuse(text);
}

/** The same of an end, which a date is often meant to have in it: it is said what it is read as. */
export function readPastEnd(text: string): InZone<number> {
  return said(text, instantOf(text, 'last'), isDateOrTime) ?? refuse(text);
}

/** Reads an option that is one of these to come, or a time from now on by the database's clock. */
export function readEnd(text: string): InZone<NonNullable<PauseEnd>> {
  const instant = instantOf(text, 'next');
  if (instant !== null) return mapped(instant, (untilMs) => ({ untilMs }));
  const forMs = parseDuration(text);
  if (typeof forMs === 'number' && forMs > 0) return fixed({ forMs });
  return refuse(text, 'a duration as 2h');
}

/** Reads an option that is one of these in the past, or a time ago by the database's clock. */
export function readSince(text: string): InZone<Since> {
  const instant = said(text, instantOf(text, 'last'));
  if (instant !== null) return mapped(instant, (instantMs) => ({ instantMs }));
  const agoMs = parseDuration(text);
  if (typeof agoMs === 'number') return fixed({ agoMs });
  return refuse(text, 'a time ago as 7d');
}

function instantOf(text: string, which: 'next' | 'last'): InZone<number> | null {
  const fixedMs = parseInstant(text);
  if (fixedMs !== null) return fixed(fixedMs);
  const nowMs = Date.now();
  const read = (timezone: string) =>
    parseInstantIn(text, timezone) ?? parseTimeOfDay(text, timezone, which, nowMs);
  const inUtcMs = read('UTC');
  if (inUtcMs === null) return null;
  return (timezone = localTimezone()) => read(timezone) ?? inUtcMs;
}

function fixed<Meaning>(meaning: Meaning): InZone<Meaning> {
  return Object.assign(() => meaning, { isFixed: true } as const);
}

function mapped<Meaning>(
  instant: InZone<number>,
  asMeaning: (instantMs: number) => Meaning,
): InZone<Meaning> {
  if (instant.isFixed) return fixed(asMeaning(instant()));
  return (timezone) => asMeaning(instant(timezone));
}

/** Says a time of day with its day and offset, where what is done with it does not. */
function said(
  text: string,
  instant: InZone<number> | null,
  isUnclear = isTimeOfDay,
): InZone<number> | null {
  if (instant === null || !isUnclear.test(text)) return instant;
  return (timezone) => {
    const instantMs = instant(timezone);
    printNote(`${text} is read as ${formatInstant(instantMs, timezone)}.`);
    return instantMs;
  };
}

const isTimeOfDay = /^[\d:]+$/;
const isDateOrTime = /^[\d:]+$|^\d{4}-\d\d-\d\d$/;

function refuse(text: string, ...others: readonly string[]): never {
  throw new InvalidArgumentError(`${whyNoInstant(text, 'a time of day as 20:00', ...others)}.`);
}
