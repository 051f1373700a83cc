import type { JobPause } from '../../../domain/job/edit/jobPause.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import { runsBeside } from '../../../domain/targeting/mayTake.ts';
import { placementOf } from '../../../domain/targeting/placementOf.ts';
import { auditedJob, groupOf } from '../../audit/auditJob.ts';
import { writeAudits } from '../../audit/writeAudit.ts';
import { linkAdded } from '../../chains/linkAdded.ts';
import type { ChannelConnection } from '../../connection/channel.ts';
import { atNow, dateOf } from '../../connection/queryable.ts';
import { requireAllTargets } from '../../notifications/targets/requireTargets.ts';
import { integer, only, rowOf, text } from '../../rows/row.ts';
import { ensureTarget } from '../../targeting/ensureTarget.ts';
import { createNodeSlots, placedJob } from '../../targeting/nodeSlots.ts';
import { placeJob } from '../../targeting/placeJob.ts';
import { readLiveNodes } from '../../targeting/readLiveNodes.ts';
import { jobExists } from './addJob.ts';
import { pauseOver } from './keepResume.ts';

export interface NewJob {
  readonly definition: JobDefinition;
  readonly pause: JobPause | null;
}

interface AddedJob extends NewJob {
  readonly jobId: number;
}

/**
 * Rows of new jobs, which only block who adds a job of the same name, in the order of the names, so
 * that two who do so cannot deadlock. Their ids are read back by their names: those of one
 * statement need not follow each other on every server.
 * @throws FieldError `job_exists`
 */
export async function insertJobs(
  connection: ChannelConnection,
  jobs: readonly NewJob[],
): Promise<AddedJob[]> {
  if (jobs.length === 0) return [];
  const byName = [...jobs].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
  const names = byName.map(({ definition }) => definition.name);
  const rows = byName.map(({ definition, pause }) => {
    const untilMs = pause?.untilMs ?? null;
    const resume = [dateOf(untilMs), untilMs === null ? null : 1];
    return [definition.name, 1, pause !== null, ...resume, atNow];
  });
  const { written } = await connection.insert(insertRows, rows);
  if (written !== names.length) throw jobExists(await takenName(connection, names));
  const found = await connection.rowsOf(idOfName, selectIds, names);
  const ids = new Map(found.map(({ jobId, name }) => [name, jobId]));
  const added = byName.map((job) => ({ ...job, jobId: ids.get(job.definition.name) ?? 0 }));
  const revisions = added.map(({ definition, jobId, pause }) => {
    return [jobId, 1, JSON.stringify(definition), pause !== null, atNow];
  });
  await connection.insert(insertRevisions, revisions);
  const audits = added.map(({ definition, pause }) => {
    const paused = { isPaused: pause !== null, resumeAtMs: pause?.untilMs ?? null };
    const after = auditedJob({ definition, ...paused });
    return { action: 'job.add', target: definition.name, group: groupOf(definition), after };
  });
  await writeAudits(connection, audits);
  return added;
}

/** The rows of our own have no revision yet, those of others have theirs. */
async function takenName(connection: ChannelConnection, names: readonly string[]): Promise<string> {
  const [taken] = await connection.rowsOf(only(text), selectTaken, names);
  const twice = names.find((name, index) => names[index - 1] === name);
  return taken ?? twice ?? '';
}

/** In force from when the stripes were had, with idle slots like those that `addJob` makes. */
export async function placeAdded(
  connection: ChannelConnection,
  added: readonly AddedJob[],
): Promise<void> {
  if (added.length === 0) return;
  const nowMs = await connection.readNow();
  await connection.change(moveInForce, [new Date(nowMs), added.map(({ jobId }) => jobId)]);
  for (const { pause } of added) {
    const untilMs = pause?.untilMs ?? null;
    if (untilMs !== null && untilMs <= nowMs) throw pauseOver('pausedUntil', untilMs);
  }
  await linkAdded(connection, added, nowMs);
  const definitions = added.map(({ definition }) => definition);
  await requireAllTargets(connection, definitions);
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
    const ids = idsOf.get(key);
    if (ids !== undefined) ids.push(jobId);
    else {
      idsOf.set(key, [jobId]);
      targets.set(key, await ensureTarget(connection, definition));
    }
  }
  for (const [key, jobIds] of idsOf) {
    await connection.change(moveTarget, [targets.get(key) ?? 0, jobIds]);
  }
  return (definition: JobDefinition): number => targets.get(keyOf(definition)) ?? 0;
}

const insertRows = `/* writeJobs job */ INSERT IGNORE INTO job
    (name, revision, paused, resume_at, resume_revision, created_at)
  VALUES ?`;
const idOfName = rowOf({ jobId: integer, name: text });
const selectIds = `/* writeJobs ids */ SELECT job_id, name FROM job
  WHERE removed_no = 0 AND name IN (?)`;
const selectTaken = `/* writeJobs taken */ SELECT job.name
  FROM job JOIN job_revision ON job_revision.job_id = job.job_id
  WHERE job.removed_no = 0 AND job.name IN (?) ORDER BY job.name LIMIT 1`;
const insertRevisions = `/* writeJobs revision */ INSERT INTO job_revision
    (job_id, revision, definition, paused, in_force_from)
  VALUES ?`;
const moveInForce = `/* writeJobs in force */ UPDATE job_revision SET in_force_from = ?
  WHERE job_id IN (?)`;
const moveTarget = '/* writeJobs target */ UPDATE job SET target_id = ? WHERE job_id IN (?)';
