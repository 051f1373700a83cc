import type { JobPause } from '../../../domain/job/edit/jobPause.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { StepToDo } from '../../../domain/jobFile/planApply.ts';
import type { JobChangeKind } from '../../../domain/policies/jobChange.ts';
import { stripeOfJob } from '../../../domain/run/stripes.ts';
import { runsBeside } from '../../../domain/targeting/mayTake.ts';
import { placementOf } from '../../../domain/targeting/placementOf.ts';
import { auditedJob, auditJob } from '../../audit/auditJob.ts';
import { linkChains, lockChains } from '../../chains/linkChains.ts';
import type { Channel, ChannelConnection } from '../../connection/channel.ts';
import { changeOnce } from '../../idempotency/changeOnce.ts';
import { requireTargets } from '../../notifications/targets/requireTargets.ts';
import { ensureTarget } from '../../targeting/ensureTarget.ts';
import { createNodeSlots, placedJob } from '../../targeting/nodeSlots.ts';
import { placeJob } from '../../targeting/placeJob.ts';
import { readLiveNodes } from '../../targeting/readLiveNodes.ts';
import { takeStripes } from '../../transaction/takeStripes.ts';
import { findJob, type JobInForce, jobMissing, readJobInForce } from '../findJob.ts';
import { requireSecrets } from '../shownDefinition.ts';
import { jobExists } from './addJob.ts';
import { nextOf } from './changeJob.ts';
import { keepResume, pauseOver } from './keepResume.ts';
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

interface NewJob {
  readonly definition: JobDefinition;
  readonly pause: JobPause | null;
}

interface AddedJob extends NewJob {
  readonly jobId: number;
}

function newJobOf({ action, wanted }: StepToDo): NewJob[] {
  if (action !== 'add' || wanted === null) return [];
  const definition = wanted.define(null);
  requireSecrets(definition);
  return [{ definition, pause: wanted.pause ?? null }];
}

/**
 * Rows that only block who adds a job of the same name, in the order of the names, so that two who
 * do so cannot deadlock.
 */
async function insertJobs(
  connection: ChannelConnection,
  jobs: readonly NewJob[],
): Promise<AddedJob[]> {
  const added: AddedJob[] = [];
  const byName = [...jobs].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
  for (const job of byName) {
    const { definition, pause } = job;
    const { name } = definition;
    const isPaused = pause !== null;
    const header = await connection.write(insertJob, [name, isPaused]);
    if (header.affectedRows !== 1) throw jobExists(name);
    const jobId = header.insertId;
    await connection.change(insertRevision, [jobId, JSON.stringify(definition), isPaused]);
    const after = auditedJob({ definition, isPaused, resumeAtMs: pause?.untilMs ?? null });
    await auditJob(connection, { name, definition }, { action: 'job.add', after });
    added.push({ ...job, jobId });
  }
  return added;
}

/** In force from when the stripes were had, with idle slots like those that `addJob` makes. */
async function placeAdded(
  connection: ChannelConnection,
  added: readonly AddedJob[],
): Promise<void> {
  if (added.length === 0) return;
  const nowMs = await connection.readNow();
  await connection.change(moveInForce, [new Date(nowMs), added.map(({ jobId }) => jobId)]);
  for (const { jobId, definition, pause } of added) {
    const { after, name } = definition;
    if (after !== undefined) await linkChains(connection, { jobId, name, after });
    await requireTargets(connection, definition);
    const untilMs = pause?.untilMs ?? null;
    if (untilMs !== null && untilMs <= nowMs) throw pauseOver('pausedUntil', untilMs);
    if (untilMs !== null) await keepResume(connection, jobId, untilMs);
  }
  const { nodes: live } = await readLiveNodes(connection);
  const isAnyBeside = live.some((node) => runsBeside(node, live));
  const targetOf = await ensureTargets(connection, added);
  const revisions = added.map(({ pause, ...job }) => ({
    ...{ ...job, revision: 1, isPaused: pause !== null },
    ...{ inForceFromMs: nowMs, targetId: targetOf(job.definition) },
  }));
  const slots = revisions.map((job) => ({ job: placedJob(job), nodeName: '' }));
  await createNodeSlots(connection, slots, nowMs);
  for (const job of revisions) {
    if (isAnyBeside || job.definition.kind === 'every-node') await placeJob(connection, job);
  }
}

/** Jobs of one list mostly have one target, which is looked up and written once. */
async function ensureTargets(connection: ChannelConnection, added: readonly AddedJob[]) {
  const keyOf = (definition: JobDefinition) => JSON.stringify(placementOf(definition));
  const idsOf = new Map<string, number[]>();
  const targets = new Map<string, number>();
  for (const { jobId, definition } of added) {
    const key = keyOf(definition);
    if (!targets.has(key)) targets.set(key, await ensureTarget(connection, definition));
    idsOf.set(key, [...(idsOf.get(key) ?? []), jobId]);
  }
  for (const [key, jobIds] of idsOf) {
    await connection.change(moveTarget, [targets.get(key) ?? 0, jobIds]);
  }
  return (definition: JobDefinition): number => targets.get(keyOf(definition)) ?? 0;
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
const insertJob = `/* writeJobs job */ INSERT IGNORE INTO job (name, revision, paused, created_at)
  VALUES (?, 1, ?, NOW(3))`;
const insertRevision = `/* writeJobs revision */ INSERT INTO job_revision
    (job_id, revision, definition, paused, in_force_from) VALUES (?, 1, ?, ?, NOW(3))`;
const moveInForce = `/* writeJobs in force */ UPDATE job_revision SET in_force_from = ?
  WHERE job_id IN (?)`;
const moveTarget = '/* writeJobs target */ UPDATE job SET target_id = ? WHERE job_id IN (?)';
