import { createInterface } from 'node:readline';
import { exitCodes } from '../domain/errors.ts';
import { parseInstant } from '../domain/parseInstant.ts';
import { parseSchedule } from '../domain/schedule/parseSchedule.ts';
import { type Dialect, isScheduleFault } from '../domain/schedule/schedule.ts';
import { nextTicks } from '../domain/schedule/ticks.ts';
import { safeJson } from './escapeControls.ts';
import { printLine, printNote, writeOut } from './print.ts';
import { usageFault } from './reportFault.ts';

export interface NextOptions {
  readonly timezone?: string;
  readonly from?: number;
  readonly count: number;
  readonly dialect: Dialect;
  readonly name?: string;
  readonly stdin?: boolean;
  readonly json?: boolean;
}

type Answer = { readonly next: readonly string[] } | { readonly error: string };

/** `next`: resolves to the exit code. */
export async function nextAction(expr: string | undefined, options: NextOptions): Promise<number> {
  if (options.stdin) {
    if (expr !== undefined) throw usageFault('Give a schedule or --stdin, not both.', see);
    await answerLines(options);
    return exitCodes.ok;
  }
  if (expr === undefined) throw usageFault('A schedule is missing.', see);
  const { timezone, from = Date.now(), count, dialect, name } = options;
  const question = { expr, timezone, fromMs: from, count, dialect, jobName: name };
  const answer = answerQuestion(question);
  if (options.json) await writeOut(`${safeJson(answer)}\n`);
  if ('error' in answer) {
    if (options.json) return exitCodes.usage;
    throw usageFault(`The schedule cannot be read: ${answer.error}.`, see);
  }
  if (!options.json) {
    for (const instant of answer.next) printLine(instant);
    if (answer.next.length === 0) printNote('It has no time to come.');
  }
  return exitCodes.ok;
}

const see = 'See: statecron next --help';

interface Question {
  readonly expr: string;
  readonly timezone: string | undefined;
  readonly fromMs: number;
  readonly count: number;
  readonly dialect: Dialect;
  readonly jobName: string | undefined;
}

function answerQuestion(question: Question): Answer {
  const { expr, timezone, fromMs, count, dialect, jobName } = question;
  // A zone in the text wins: the one given is where the text would stand without it.
  const schedule = parseSchedule(expr, { defaultTimezone: timezone, dialect, jobName });
  if (isScheduleFault(schedule)) return { error: schedule.error };
  return { next: nextTicks(schedule, fromMs, count).map((ms) => new Date(ms).toISOString()) };
}

/**
 * How much of the answers is gathered before it is written, so that a line costs no system call.
 */
const gatheredMax = 64 * 1024;
const lineCharactersMax = 64 * 1024;

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
  // Whoever asks line by line and waits for each answer gets it when nothing more is to be read.
  let isScheduled = false;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    gathered += `${safeJson(answerLine(line, options))}\n`;
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

function answerLine(line: string, options: NextOptions): Answer {
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
  return answerObject(value as Record<string, unknown>, options);
}

function answerObject(value: Record<string, unknown>, options: NextOptions): Answer {
  const { expr, tz, from, count, dialect, name } = value;
  if (typeof expr !== 'string') return { error: 'expr: a text is wanted' };
  if (!isTextOrNone(tz)) return { error: 'tz: a text is wanted' };
  if (!isTextOrNone(name)) return { error: 'name: a text is wanted' };
  if (dialect !== undefined && dialect !== 'unix' && dialect !== 'quartz') {
    return { error: 'dialect: unix or quartz is wanted' };
  }
  const counted = count ?? options.count;
  if (
    typeof counted !== 'number' ||
    !Number.isInteger(counted) ||
    counted < 1 ||
    counted > 10_000
  ) {
    return { error: 'count: a whole number from 1 to 10000 is wanted' };
  }
  const fromMs = from === undefined ? (options.from ?? Date.now()) : readFrom(from);
  if (fromMs === null) return { error: 'from: an instant such as 2030-01-31T09:30:00Z is wanted' };
  return answerQuestion({
    expr,
    timezone: tz ?? options.timezone,
    fromMs,
    count: counted,
    dialect: dialect ?? options.dialect,
    jobName: name ?? options.name,
  });
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function readFrom(from: unknown): number | null {
  return typeof from === 'string' ? parseInstant(from) : null;
}
