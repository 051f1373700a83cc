import { instantText } from '../rules/finding.ts';
import type { JobCheck } from '../rules/jobCheck.ts';
import type { RevisionRecord } from '../rules/records.ts';
import type { NamedTicks } from './namedTicks.ts';

/**
 * A job's revisions, by their numbers: none is missing between the oldest that is kept and the
 * newest, each begins where the one before ends, and the newest is what the job's row says. They
 * name every tick that there ever was, so that nothing else can be proved when they are not whole.
 */
export function checkRevisions(
  check: JobCheck,
  revisions: readonly RevisionRecord[],
  named: NamedTicks,
): void {
  const newest = revisions.at(-1);
  if (newest === undefined) {
    const message = `the job is at revision ${check.job.revision}, and none is kept`;
    check.report('revision_gap', message);
    return;
  }
  for (const [place, later] of revisions.entries()) {
    const earlier = revisions[place - 1];
    if (earlier !== undefined) checkSeam(check, earlier, later);
  }
  checkNewest(check, newest);
  for (const { revision, fromMs } of named.unreadable()) {
    const since = instantText(fromMs);
    check.report('schedule_unreadable', `revision ${revision}, in force from ${since}`);
  }
}

function checkSeam(check: JobCheck, earlier: RevisionRecord, later: RevisionRecord): void {
  const gap = later.revision - earlier.revision;
  if (gap !== 1) {
    const which = gap === 2 ? `${earlier.revision + 1}` : `${earlier.revision + 1} and on`;
    check.report('revision_gap', `revision ${which} is missing before revision ${later.revision}`);
  } else if (earlier.untilMs !== later.fromMs) {
    const until = earlier.untilMs === null ? 'is still in force' : instantText(earlier.untilMs);
    const begins = `revision ${later.revision} begins ${instantText(later.fromMs)}`;
    check.report('revision_gap', `revision ${earlier.revision} ends ${until}, and ${begins}`);
  }
}

function checkNewest(check: JobCheck, newest: RevisionRecord): void {
  const { job } = check;
  const report = (message: string) => check.report('revision_not_in_force', message);
  if (newest.revision !== job.revision) {
    report(`the job is at revision ${job.revision}, and the newest kept is ${newest.revision}`);
  } else if (newest.isPaused !== job.isPaused) {
    const word = (isPaused: boolean) => (isPaused ? 'paused' : 'not paused');
    report(`the job is ${word(job.isPaused)}, and its revision is ${word(newest.isPaused)}`);
  }
  if (job.isRemoved && newest.untilMs === null) {
    report(`the job is removed, and revision ${newest.revision} is still in force`);
  }
  if (!job.isRemoved && newest.untilMs !== null) {
    report(
      `revision ${newest.revision} ended ${instantText(newest.untilMs)}, and none is in force`,
    );
  }
}
