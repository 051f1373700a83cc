import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { Channel, type Row } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import type { Scope } from '../../support/createDatabase.ts';
import type { StoreWorld } from '../../support/storeWorld.ts';

/** A definition that runs every second, unless told otherwise. */
export function definitionOf(name: string, changes: Partial<JobDefinition> = {}): JobDefinition {
  return { ...jobDefaults, name, schedule: '* * * * * *', command: 'true', ...changes };
}

/** A channel with an operator's bounds and name, for those who must not share one. */
export function openChannel(scope: Scope, url: string, timeoutMs = 20_000): Channel {
  const bounds = { timeoutMs, lockWaitSeconds: 5, silenceSeconds: 60 };
  const channel = new Channel('operator', readDatabaseUrl(url), bounds);
  channel.by = { actor: 'operator', via: 'cli', requestId: randomUUID(), address: null };
  scope.after(() => channel.close());
  return channel;
}

/** The only slot of a job. */
export async function slotOf(world: StoreWorld, jobId: number): Promise<Row> {
  const [slot, ...others] = await world.rows('SELECT * FROM slot WHERE job_id = ?', [jobId]);
  assert.ok(slot !== undefined && others.length === 0, 'the job has one slot');
  return slot;
}

/** A job's revisions, the oldest first. */
export function revisionsOf(world: StoreWorld, jobId: number): Promise<Row[]> {
  return world.rows('SELECT * FROM job_revision WHERE job_id = ? ORDER BY revision', [jobId]);
}

/** A job's history, in the order in which it was written. */
export function runsOf(world: StoreWorld, jobId: number): Promise<Row[]> {
  return world.rows('SELECT * FROM run WHERE job_id = ? ORDER BY run_id', [jobId]);
}

/**
 * Asserts that from its first cursor on every second of every revision of a job that runs each
 * second has its one last history row, or waits its turn, up to where the cursor stands now (P19).
 */
export async function assertAccounted(
  world: StoreWorld,
  jobId: number,
  firstMs: number,
): Promise<void> {
  const [slot] = await world.rows('SELECT cursor_at FROM slot WHERE job_id = ?', [jobId]);
  const cursorMs = (slot?.cursor_at as Date | null | undefined)?.getTime() ?? Infinity;
  const wanted: number[] = [];
  for (const revision of await revisionsOf(world, jobId)) {
    if (revision.paused === 1) continue;
    const untilMs = Math.min(revision.in_force_until?.getTime() ?? Infinity, cursorMs);
    assert.ok(Number.isFinite(untilMs), 'a revision that is in force has a cursor');
    const fromMs = Math.max(Math.ceil(revision.in_force_from.getTime() / 1000) * 1000, firstMs);
    for (let ms = fromMs; ms < untilMs; ms += 1000) wanted.push(ms);
  }
  const told: number[] = [];
  for (const run of await runsOf(world, jobId)) {
    if (run.triggered_by === 'manual' || run.is_final === 0) continue;
    const fromMs = run.scheduled_for.getTime();
    const untilMs = run.scheduled_until?.getTime() ?? fromMs;
    const ticks: number[] = [];
    for (let ms = fromMs; ms <= untilMs; ms += 1000) ticks.push(ms);
    assert.equal(run.ticks, ticks.length, 'a range counts its ticks');
    told.push(...ticks);
  }
  const waiting = await world.rows(
    "SELECT scheduled_for FROM pending WHERE job_id = ? AND triggered_by = 'queue' AND attempt = 1",
    [jobId],
  );
  told.push(...waiting.map((row) => (row.scheduled_for as Date).getTime()));
  assert.deepEqual(told.sort(), wanted.sort());
}
