import { createInterface } from 'node:readline';
import { exitCodes } from '../../domain/errors/errors.ts';
import {
  answerNext,
  type NextAnswer,
  type NextRequest,
  setOfRequest,
} from '../../domain/schedule/read/answerNext.ts';
import type { ClockChangeRule } from '../../domain/schedule/zone.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { parseInstant } from '../../domain/time/parseInstant.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import type { readInstant } from '../options/readTime.ts';
import { safeJson } from '../output/escapeControls.ts';
import { printLine, printNote, writeOut } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { instantLine } from '../output/table/cells.ts';

interface NextOptions extends Pick<NextRequest, 'notBefore' | 'notAfter' | 'exclude'> {
  readonly cron?: readonly string[];
  readonly timezone?: string;
  readonly from?: ReturnType<typeof readInstant>;
  readonly count: number;
  readonly dialect: 'unix' | 'quartz';
  readonly dstGap?: ClockChangeRule['gap'];
  readonly dstFold?: ClockChangeRule['fold'];
  readonly name?: string;
  readonly stdin?: boolean;
  readonly json?: boolean;
}

/** `next`: resolves to the exit code. */
export async function nextAction(expr: string | undefined, options: NextOptions): Promise<number> {
  const texts = [...(expr === undefined ? [] : [expr]), ...(options.cron ?? [])];
  if (options.stdin) {
    if (texts.length > 0) throw usageFault('Give a schedule or --stdin, not both.', see);
    await answerLines(options);
    return exitCodes.ok;
  }
  const [schedule, ...moreSchedules] = texts;
  if (schedule === undefined) throw usageFault('A schedule is missing.', see);
  const request = { ...requestOf(options), schedule, moreSchedules };
  const answer = answerNext(request);
  if (options.json) await writeOut(`${safeJson(answer)}\n`);
  if ('error' in answer) {
    if (options.json) return exitCodes.usage;
    throw usageFault(`The schedule cannot be read: ${answer.error}.`, hintOf(schedule));
  }
  if (options.json) return exitCodes.ok;
  if (process.stdout.isTTY) await printSentence(request);
  printAnswer(answer, zoneIn(schedule) ?? options.timezone ?? 'UTC');
  return exitCodes.ok;
}

/** Says first what the schedule means, where that can be said; loads the words only then. */
async function printSentence(request: NextRequest): Promise<void> {
  const set = setOfRequest(request);
  if ('error' in set) return;
  const { describeSchedules } = await import('../../domain/schedule/describeSchedules.ts');
  const sentence = describeSchedules(set);
  if (sentence !== null) printNote(sentence);
}

const see = 'See: statecron next --help';

/** One word may be meant as the name of a job. */
function hintOf(schedule: string): string {
  if (!/^[^\s@]+$/.test(schedule)) return see;
  return `The next ticks of a job: statecron job show ${shellWord(schedule)}`;
}

/** All that the flags say but the schedule. */
function requestOf(options: NextOptions): Omit<NextRequest, 'schedule'> {
  const { timezone, from = Date.now, count, name, notBefore, notAfter, exclude } = options;
  const dialect = options.dialect === 'quartz' ? options.dialect : undefined;
  const { dstGap: gap, dstFold: fold } = options;
  const given = withoutUndefined({ dialect, gap, fold, notBefore, notAfter, exclude });
  return { timezone, jobName: name, fromMs: from(timezone), count, ...given };
}

/** The zone that a schedule names itself. */
function zoneIn(schedule: string): string | undefined {
  return /^\s*(?:CRON_)?TZ=(\S+)/.exec(schedule)?.[1];
}

/** An instant a line, and after it what the zone's clock does there, if it is anything. */
function printAnswer(
  { next, marks = {} }: Exclude<NextAnswer, { error: string }>,
  timezone: string,
): void {
  for (const instant of next) {
    const mark = marks[instant];
    const shown = instantLine(instant, timezone);
    printLine(mark === undefined ? shown : `${shown}  ${mark}: ${meanings[mark]}`);
  }
  if (next.length === 0) printNote('It has no time to come.');
}

const meanings = {
  shifted: 'the clock jumps over the time that the schedule names',
  'first pass': 'the clock shows this time twice',
  'second pass': 'the clock shows this time for the second time',
};

/** So much of the answers is gathered before it is written: a line costs no system call. */
const gatheredMax = 64 * 1024;

/** One answer for each line, in order, streaming; a line that cannot be read is answered too. */
async function answerLines(options: NextOptions): Promise<void> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  let gathered = '';
  let flushing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    const text = gathered;
    gathered = '';
    flushing = flushing.then(() => (text === '' ? undefined : writeOut(text)));
    return flushing;
  };
  // A client that waits for each answer gets it when nothing more is to be read.
  let isScheduled = false;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const request = readNextLine(line, requestOf(options));
    const answer = 'error' in request ? request : answerNext(request);
    gathered += `${safeJson(answer)}\n`;
    if (gathered.length > gatheredMax) await flush();
    if (!isScheduled) {
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        void flush();
      });
    }
  }
  await flush();
}

/**
 * Reads a line of `next --stdin`: a JSON object `{expr, tz, from, count, dialect, name, cron, gap,
 * fold, notBefore, notAfter, exclude}` of which only `expr` must be there; `cron` and `exclude` are
 * lists. What it leaves out is as `defaults` has it.
 */
function readNextLine(
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
  for (const [key, text = ''] of Object.entries({ tz, name, gap, fold, notBefore, notAfter })) {
    if (typeof text !== 'string') return { error: `${key}: a text is wanted` };
  }
  for (const [key, list = []] of Object.entries({ cron, exclude })) {
    if (!isTexts(list)) return { error: `${key}: a list of texts is wanted` };
  }
  if (!isCount(count)) return { error: 'count: a whole number from 1 to 10000 is wanted' };
  const instant = typeof from === 'string' ? from : '';
  const fromMs = from === undefined ? defaults.fromMs : parseInstant(instant);
  if (fromMs === null) return { error: 'from: an instant such as 2030-01-31T09:30:00Z is wanted' };
  // Of the wrong type nothing is left here; the reader refuses wrong values.
  const given = { gap, fold, notBefore, notAfter, exclude, moreSchedules: cron } as object;
  const { dialect: defaultDialect, ...kept } = defaults;
  return {
    ...kept,
    ...withoutUndefined(given),
    ...((dialect ?? defaultDialect) === 'quartz' ? { dialect: 'quartz' as const } : {}),
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
