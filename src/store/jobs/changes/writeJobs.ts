import type { StepToDo } from '../../../domain/jobFile/planApply.ts';
import type { JobChangeKind } from '../../../domain/policies/jobChange.ts';
import { stripeOfJob } from '../../../domain/run/stripes.ts';
import { lockChains } from '../../chains/linkChains.ts';
import type { Channel, ChannelConnection } from '../../connection/channel.ts';
import { changeOnce } from '../../idempotency/changeOnce.ts';
import { takeStripes } from '../../transaction/takeStripes.ts';
import { findJob, type JobInForce, jobMissing, readJobInForce } from '../findJob.ts';
import { requireSecrets } from '../shownDefinition.ts';
import { nextOf } from './changeJob.ts';
import { insertJobs, type NewJob, placeAdded } from './insertJobs.ts';
import { type NextRevision, writeRevision } from './writeRevision.ts';

/**
 * Takes all steps of a plan in one transaction, new jobs first: all of them or none. Who writes
 * lists of jobs waits at a gate of its own. New jobs, which nobody else can see, are written before
 * the stripes are taken, so that ticks of other jobs wait 0.2 s for a thousand of them instead of
 * 10 s. A change of a job takes some 20 statements under them: `partsOfPlan` bounds their number.
 * @param onWritten is given how many of the steps were taken
 * @throws OperatorError `job_exists`, `job_missing`, and what each step alone would throw, with
 * nothing written; what `settleOutcome` throws.
 */
export async function writeJobs(
  channel: Channel,
  steps: readonly StepToDo[],
  onWritten: (steps: number) => void = () => undefined,
): Promise<void> {
  const given = steps.flatMap(newJobOf);
  const changes = steps.filter(({ action }) => action === 'edit' || action === 'remove');
  const found = new Map<string, Awaited<ReturnType<typeof findJob>>>();
  for (const { job } of changes) found.set(job, await findJob(channel, job));
  if (given.length + changes.length > 0) {
    await changeOnce<null>(channel, {
      ...{ name: 'writeJobs', look: 'statecron job list' },
      lock: async (connection) => void (await connection.change(writeGate)),
      work: async (connection) => {
        const added = await insertJobs(connection, given);
        const stripes = [...found.values()].flatMap((job) => job.stripes);
        for (const { jobId } of added) stripes.push(stripeOfJob(jobId));
        await takeStripes(connection, [...new Set(stripes)]);
        // Before any other lock, since the changes of one job after another's take them in turn.
        const isLinked = added.some(({ definition }) => definition.after !== undefined);
        if (isLinked || changes.length > 0) await lockChains(connection);
        await placeAdded(connection, added);
        for (const step of changes) {
          const { jobId } = found.get(step.job) ?? { jobId: 0 };
          await takeStep(connection, jobId, step);
        }
        return { commit: null };
      },
    });
  }
  onWritten(steps.length);
}

function newJobOf({ action, wanted }: StepToDo): NewJob[] {
  if (action !== 'add' || wanted === null) return [];
  const definition = wanted.define(null);
  requireSecrets(definition);
  return [{ definition, pause: wanted.pause ?? null }];
}

/**
 * Changes one job whose stripes are held. A pause comes before the edit, and its end after it, so
 * that nothing of the job starts by either definition where the file says that it rests.
 */
async function takeStep(
  connection: ChannelConnection,
  jobId: number,
  { job: name, wanted }: StepToDo,
): Promise<void> {
  const change = async (kind: JobChangeKind, decide: (job: JobInForce) => NextRevision) => {
    const job = await readJobInForce(connection, jobId);
    if (job === null) throw jobMissing(name);
    await writeRevision(connection, kind, job, decide(job));
  };
  if (wanted === null) return change('remove', nextOf.remove);
  const { define, pause } = wanted;
  if (pause) {
    const { untilMs } = pause;
    await change('pause', nextOf.pause(untilMs === null ? null : { untilMs }));
  }
  await change('edit', nextOf.edit(define));
  if (pause === null) await change('resume', nextOf.resume);
}

/** Written, not only read: FOR UPDATE alone excludes nobody on multi-primary clusters. */
const writeGate = `/* writeJobs gate */ INSERT INTO note (note_name, note_value)
  VALUES ('writing', '1') ON DUPLICATE KEY UPDATE note_value = note_value + 1`;
