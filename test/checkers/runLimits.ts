import { type Evidence, policiesOf } from './evidence.ts';
import type { RunRecord } from './history.ts';
import type { JobEvidence } from './jobEvidence.ts';
import { isTick } from './launchKinds.ts';
import type { Step } from './readTrails.ts';
import { revisionsAbout } from './revisionsAbout.ts';

/** Revisions of a job one after the other, of which none is a pause. */
export interface Stretch {
  readonly revisions: readonly number[];
}

export function stretchesOf({ record }: JobEvidence): Stretch[] {
  const stretches: number[][] = [[]];
  for (const { revision, paused } of record.revisions) {
    if (paused) stretches.push([]);
    else stretches.at(-1)?.push(revision);
  }
  return stretches.filter((each) => each.length > 0).map((revisions) => ({ revisions }));
}

/** The run that came to a limit. */
export interface Reached {
  readonly run: RunRecord;
  readonly idle: Step;
  readonly why: string;
}

/**
 * The run after which a job had to pause itself, or null. A launch counts in the stretch that its
 * slot became idle in; near an edit nobody can tell which limit was in force, and a lost run that
 * told late how it ended was counted as lost: what is not sure is not said.
 */
export function findLimit(
  { trails }: Evidence,
  job: JobEvidence,
  stretch: readonly number[],
): Reached | null {
  const own = new Set(stretch);
  let ran = 0;
  let failures = 0;
  const ended = job.runs
    .flatMap((run) => {
      const trail = trails.launches.get(run.launchId ?? '');
      const idle = trail?.idle ?? null;
      const counts = run.isFinal && isTick(run) && run.startedDatabaseMs !== null;
      return counts && idle !== null && own.has(run.revision) ? [{ run, idle }] : [];
    })
    .filter(({ run }) => run.result !== 'not_started')
    .sort((a, b) => a.idle.row.order - b.idle.row.order);
  for (const { run, idle } of ended) {
    ran += 1;
    if (ended.some((other) => isAtOnce(other.idle, idle) && isSuccess(other.run))) failures = 0;
    else if (run.result !== 'stopped') failures += 1;
    // A pause at about that time, its own or not, is followed by no start of the stretch.
    const about = revisionsAbout(job, run).filter(({ paused }) => !paused);
    if (about.length !== 1) continue;
    const { runsMax = Infinity, failuresMax = Infinity } = policiesOf(job, about[0]?.revision ?? 0);
    if (ran >= runsMax) return { run, idle, why: `was the last of ${runsMax}` };
    if (failures >= failuresMax) return { run, idle, why: `failed as the last of ${failuresMax}` };
  }
  return null;
}

const isSuccess = ({ result }: RunRecord): boolean => result === 'succeeded';

/** In one statement, whose rows nobody can tell the order of. */
function isAtOnce({ row: one }: Step, { row: other }: Step): boolean {
  return one.connectionId === other.connectionId && one.databaseMs === other.databaseMs;
}

/**
 * Whether a job may have paused itself with a revision: enough of its ticks had ended, or failed in
 * a row. One whose session ended may have been counted as lost before it told how it ended.
 */
export function mayPauseItself({ trails }: Evidence, job: JobEvidence, revision: number): boolean {
  const record = job.record.revisions.find((each) => each.revision === revision);
  const before = stretchesOf(job).find(({ revisions }) => revisions.includes(revision - 1));
  if (record?.paused !== true || before === undefined) return false;
  const { runsMax = Infinity, failuresMax = Infinity } = policiesOf(job, revision - 1);
  const ended = job.runs.filter(
    (run) =>
      run.isFinal && isTick(run) && run.startedDatabaseMs !== null && run.revision < revision,
  );
  if (ended.length >= runsMax) return true;
  const mayFail = ({ result, sessionId }: RunRecord): boolean =>
    result !== 'succeeded' || trails.sessions.get(sessionId ?? '')?.ended != null;
  return ended.filter(mayFail).length >= failuresMax;
}
