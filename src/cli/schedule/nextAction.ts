import { createInterface } from 'node:readline';
import { exitCodes } from '../../domain/errors/errors.ts';
import {
  answerNext,
  type NextAnswer,
  type NextRequest,
} from '../../domain/schedule/read/answerNext.ts';
import type { ClockChangeRule } from '../../domain/schedule/zone.ts';
import { safeJson } from '../output/escapeControls.ts';
import { printLine, printNote, writeOut } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { readNextLine } from './readNextLine.ts';

interface NextOptions {
  readonly cron?: readonly string[];
  readonly timezone?: string;
  readonly from?: number;
  readonly count: number;
  readonly dialect: 'unix' | 'quartz';
  readonly dstGap?: ClockChangeRule['gap'];
  readonly dstFold?: ClockChangeRule['fold'];
  readonly notBefore?: string;
  readonly notAfter?: string;
  readonly exclude?: string[];
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
  const answer = answerNext({ ...questionOf(options), schedule, moreSchedules });
  if (options.json) await writeOut(`${safeJson(answer)}\n`);
  if ('error' in answer) {
    if (options.json) return exitCodes.usage;
    throw usageFault(`The schedule cannot be read: ${answer.error}.`, see);
  }
  if (!options.json) printAnswer(answer);
  return exitCodes.ok;
}

const see = 'See: statecron next --help';

/** All that the flags say but the schedule. */
function questionOf(options: NextOptions): Omit<NextRequest, 'schedule'> {
  const { timezone, from = Date.now(), count, dialect, name } = options;
  const { dstGap, dstFold, notBefore, notAfter, exclude } = options;
  return {
    timezone,
    jobName: name,
    fromMs: from,
    count,
    ...(dialect === 'quartz' ? { dialect } : {}),
    ...(dstGap === undefined ? {} : { gap: dstGap }),
    ...(dstFold === undefined ? {} : { fold: dstFold }),
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(notAfter === undefined ? {} : { notAfter }),
    ...(exclude === undefined ? {} : { exclude }),
  };
}

/** An instant a line, and after it what the zone's clock does there, if it is anything. */
function printAnswer({ next, marks = {} }: Exclude<NextAnswer, { error: string }>): void {
  for (const instant of next) {
    const mark = marks[instant];
    printLine(mark === undefined ? instant : `${instant}  ${mark}: ${meanings[mark]}`);
  }
  if (next.length === 0) printNote('It has no time to come.');
}

const meanings = {
  shifted: 'the clock jumps over the time that the schedule names',
  'first pass': 'the clock shows this time twice',
  'second pass': 'the clock shows this time for the second time',
};

/**
 * How much of the answers is gathered before it is written, so that a line costs no system call.
 */
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
  // Whoever asks line by line and waits for each answer gets it when nothing more is to be read.
  let isScheduled = false;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const question = readNextLine(line, questionOf(options));
    const answer = 'error' in question ? question : answerNext(question);
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
