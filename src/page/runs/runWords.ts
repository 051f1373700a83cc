import type { Answer } from '../api/callApi.ts';
import type { Status } from '../parts/statusBadge.tsx';
import { showLine } from '../text/showControls.ts';

export type Run = Answer<'GET /runs'>['items'][number];

/** What leads to a run: its launch, or its number where nothing was launched. */
export function runName({ launchId, runId }: Pick<Run, 'launchId' | 'runId'>): string {
  return launchId ?? `${runId}`;
}

/** The part that tells one launch from the next: its number, behind the session's id. */
export function shortRun(launchId: string): string {
  const [session = '', number = ''] = launchId.split(':');
  return number === ''
    ? showLine(launchId)
    : `run ${showLine(session.slice(0, 7))}…:${showLine(number)}`;
}

export function statusOfRun({ result, startedAt }: Pick<Run, 'result' | 'startedAt'>): Status {
  return result ?? (startedAt === null ? 'waiting' : 'running');
}

/** Why a run ended as it did, where there is more to say than its result, and what it said last. */
export function whyText({ exitCode, isFinal, lastLine = '', reason, result, signal }: Run): string {
  const shown = reason?.replace(triedAgain, 'run again later by an operator');
  const why = shown ?? (exitCode ? `exit code ${exitCode}` : (signal ?? ''));
  const isSaid = isFinal || result === null || (reason !== null && triedAgain.test(reason));
  const more = isSaid ? [] : ['not the last attempt'];
  const said = [why.replace(/\.$/, ''), lastLine].filter((text) => text !== '').join(': ');
  return [showLine(said), ...more].filter((text) => text !== '').join(', ');
}

/** Of a run that was the last attempt until somebody had it tried again, whatever its result. */
const triedAgain = /^an operator had it tried again/;

/** What started a run, where that was not its schedule, and the number of its try. */
export function originText(
  { attempt, trigger }: Pick<Run, 'attempt' | 'trigger'>,
  words: Readonly<Record<Run['trigger'], string>> = originWords,
): string {
  const origin = trigger === 'schedule' ? [] : [words[trigger]];
  return [...origin, ...(attempt > 1 ? [`attempt ${attempt}`] : [])].join(', ');
}

/** Beside the time of the tick. */
const originWords = {
  schedule: '',
  manual: 'by request',
  misfire: 'made up for',
  queue: 'had waited',
  retry: 'retry',
  backfill: 'backfill',
  chain: 'after another job',
} as const;

/** What started a run, in words. */
export const triggerWords = {
  schedule: 'its schedule',
  manual: 'a request',
  misfire: 'a missed tick, made up for',
  queue: 'a tick that had waited',
  retry: 'a retry',
  backfill: 'a backfill',
  chain: 'the end of another job',
} as const;
