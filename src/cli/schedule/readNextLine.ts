import type { NextRequest } from '../../domain/schedule/read/answerNext.ts';
import { parseInstant } from '../../domain/time/parseInstant.ts';

/**
 * Reads a line of `next --stdin`: a JSON object `{expr, tz, from, count, dialect, name, cron, gap,
 * fold, notBefore, notAfter, exclude}` of which only `expr` must be there; `cron` and `exclude` are
 * lists. What it leaves out is as `defaults` has it.
 */
export function readNextLine(
  line: string,
  defaults: Omit<NextRequest, 'schedule'>,
): NextRequest | { readonly error: string } {
  if (line.length > lineCharactersMax) return { error: 'the line is too long' };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { error: 'the line is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { error: 'the line is not a JSON object' };
  }
  return readObject(value as Record<string, unknown>, defaults);
}

const lineCharactersMax = 64 * 1024;

function readObject(
  value: Record<string, unknown>,
  defaults: Omit<NextRequest, 'schedule'>,
): NextRequest | { readonly error: string } {
  const { expr, tz, from, dialect, name, gap, fold, notBefore, notAfter } = value;
  const { cron, exclude, count = defaults.count } = value;
  if (typeof expr !== 'string') return { error: 'expr: a text is wanted' };
  if (dialect !== undefined && dialect !== 'unix' && dialect !== 'quartz') {
    return { error: 'dialect: unix or quartz is wanted' };
  }
  for (const [key, text] of Object.entries({ tz, name, gap, fold, notBefore, notAfter })) {
    if (text !== undefined && typeof text !== 'string')
      return { error: `${key}: a text is wanted` };
  }
  for (const [key, list] of Object.entries({ cron, exclude })) {
    if (list !== undefined && !isTexts(list)) return { error: `${key}: a list of texts is wanted` };
  }
  if (!isCount(count)) return { error: 'count: a whole number from 1 to 10000 is wanted' };
  const fromMs = from === undefined ? defaults.fromMs : readFrom(from);
  if (fromMs === null) return { error: 'from: an instant such as 2030-01-31T09:30:00Z is wanted' };
  // Values of the wrong kind were refused above, wrong words of the right kind the reader refuses.
  const given = { gap, fold, notBefore, notAfter, exclude, moreSchedules: cron } as object;
  const { dialect: _, ...kept } = defaults;
  return {
    ...kept,
    ...Object.fromEntries(Object.entries(given).filter(([, each]) => each !== undefined)),
    ...((dialect ?? defaults.dialect) === 'quartz' ? { dialect: 'quartz' as const } : {}),
    schedule: expr,
    timezone: (tz as string | undefined) ?? defaults.timezone,
    jobName: (name as string | undefined) ?? defaults.jobName,
    fromMs,
    count,
  };
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 10_000;
}

function readFrom(from: unknown): number | null {
  return typeof from === 'string' ? parseInstant(from) : null;
}
