import type { FindingLog } from '../rules/finding.ts';
import { instantText } from '../rules/finding.ts';
import type { JobRecord, RevisionRecord } from '../rules/records.ts';
import type { NamedTicks } from './namedTicks.ts';

/**
 * A job's revisions, by their numbers: none is missing between the oldest that is kept and the
 * newest, each begins where the one before ends, and the newest is what the job's row says. They
 * tell every tick that there ever was, so that nothing else can be proved when they are not whole.
 */
export function checkRevisions(
  job: JobRecord,
  revisions: readonly RevisionRecord[],
  named: NamedTicks,
  log: FindingLog,
): void {
  const newest = revisions.at(-1);
  if (newest === undefined) {
    log.add('revision_gap', job.name, `the job is at revision ${job.revision}, and none is kept`);
    return;
  }
  for (const [place, later] of revisions.entries()) {
    const earlier = revisions[place - 1];
    if (earlier !== undefined) checkSeam(job, earlier, later, log);
  }
  checkNewest(job, newest, log);
  for (const { revision, fromMs } of named.unreadable()) {
    const since = instantText(fromMs);
    log.add('schedule_unreadable', job.name, `revision ${revision}, in force from ${since}`);
  }
}

function checkSeam(
  job: JobRecord,
  earlier: RevisionRecord,
  later: RevisionRecord,
  log: FindingLog,
): void {
  const gap = later.revision - earlier.revision;
  if (gap !== 1) {
    const which = gap === 2 ? `${earlier.revision + 1}` : `${earlier.revision + 1} and on`;
    const message = `revision ${which} is missing before revision ${later.revision}`;
    log.add('revision_gap', job.name, message);
    return;
  }
  if (earlier.untilMs !== later.fromMs) {
    const until = earlier.untilMs === null ? 'is still in force' : instantText(earlier.untilMs);
    const message =
      `revision ${earlier.revision} ends ${until}, ` +
      `and revision ${later.revision} begins ${instantText(later.fromMs)}`;
    log.add('revision_gap', job.name, message);
  }
}

function checkNewest(job: JobRecord, newest: RevisionRecord, log: FindingLog): void {
  const say = (message: string) => log.add('revision_not_in_force', job.name, message);
  if (newest.revision !== job.revision) {
    say(`the job is at revision ${job.revision}, and the newest kept is ${newest.revision}`);
  } else if (newest.isPaused !== job.isPaused) {
    const word = (isPaused: boolean) => (isPaused ? 'paused' : 'not paused');
    say(`the job is ${word(job.isPaused)}, and its revision is ${word(newest.isPaused)}`);
  }
  if (job.isRemoved && newest.untilMs === null) {
    say(`the job is removed, and revision ${newest.revision} is still in force`);
  }
  if (!job.isRemoved && newest.untilMs !== null) {
    say(`revision ${newest.revision} ended ${instantText(newest.untilMs)}, and none is in force`);
  }
}
