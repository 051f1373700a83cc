import type { JobPolicies } from '../../../../src/domain/job/jobPolicies.ts';
import type { Launch } from '../../../../src/domain/run/launch.ts';
import { addJob } from '../../../../src/store/jobs/changes/addJob.ts';
import type { HeldWorld } from '../../../support/heldClock.ts';
import type { StoreWorld } from '../../../support/storeWorld.ts';
import type { TestNode } from '../../../support/testNode.ts';
import { definitionOf } from '../../verify/assertAccounted.ts';

/** A job of every second, in force since a day ago, whose cursor stands so far from now. */
export async function addPolicyJob(
  { channel, rows }: StoreWorld,
  policies: JobPolicies,
  dueInMs = 0,
): Promise<{ jobId: number; name: string; firstMs: number }> {
  const name = 'policies';
  const { jobId } = await addJob(channel, definitionOf(name, { ...policies, format: 3 }));
  await rows('UPDATE job_revision SET in_force_from = NOW(3) - INTERVAL 1 DAY WHERE job_id = ?', [
    jobId,
  ]);
  await rows(
    `UPDATE slot JOIN (SELECT CAST(DATE_FORMAT(NOW(3) + INTERVAL ? MICROSECOND,
       '%Y-%m-%d %H:%i:%s') AS DATETIME(3)) AS at) due
     SET slot.cursor_at = due.at, slot.next_run_at = due.at WHERE slot.job_id = ?`,
    [dueInMs * 1_000, jobId],
  );
  const [slot] = await rows('SELECT cursor_at FROM slot WHERE job_id = ?', [jobId]);
  if (slot === undefined) throw new Error('the job has no slot');
  return { jobId, name, firstMs: (slot.cursor_at as Date).getTime() };
}

/** As if all that the job's slots hold, have still to come to and have had was so much earlier. */
export async function ageSlots({ rows }: StoreWorld, seconds: number): Promise<void> {
  const columns = ['scheduled_for', 'cursor_at', 'started_at', 'next_run_at', 'ended_at'];
  const back = [...columns, 'last_started_at'].map(
    (column) => `${column} = ${column} - INTERVAL ${seconds} SECOND`,
  );
  await rows(`UPDATE slot SET ${back.join(', ')}`);
  await rows(`UPDATE run SET scheduled_for = scheduled_for - INTERVAL ${seconds} SECOND,
    scheduled_until = scheduled_until - INTERVAL ${seconds} SECOND`);
}

/** Puts the next tick off by an hour, or back where it was. */
export async function moveCursor({ rows }: StoreWorld, sign: '+' | '-'): Promise<void> {
  await rows(`UPDATE slot SET cursor_at = cursor_at ${sign} INTERVAL 1 HOUR,
    next_run_at = next_run_at ${sign} INTERVAL 1 HOUR`);
}

/** The next launch, started at its time. */
export async function startNext(world: HeldWorld, node: TestNode): Promise<Launch> {
  const [launch, ...others] = await node.claim();
  if (launch === undefined || others.length > 0) throw new Error('there is not one launch due');
  await startWhenDue(world, node, launch);
  return launch;
}

/** Starts a launch at its time, which comes at once. */
export async function startWhenDue(
  { clock }: HeldWorld,
  node: TestNode,
  launch: Launch,
): Promise<void> {
  const { slotId, stripe, launchId, startAtMs, scheduledForMs } = launch;
  if (startAtMs > clock.nowMs()) await clock.set(startAtMs);
  const isDelayed = startAtMs > scheduledForMs;
  const request = { kind: 'start', slotId, stripe, launchId, isDelayed } as const;
  const verdict = await node.ask({ ...request, waitUntilMs: startAtMs });
  if (typeof verdict === 'string') throw new Error(`the start is ${verdict}`);
  if (verdict.verdict !== 'done') throw new Error(`the start is ${verdict.verdict}`);
}
