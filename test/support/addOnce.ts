import assert from 'node:assert/strict';
import { type JobDefinition, jobDefaults } from '../../src/domain/job/jobDefinition.ts';
import { addJob } from '../../src/store/jobs/changes/addJob.ts';
import { removeJob } from '../../src/store/jobs/changes/changeJob.ts';
import type { StoreWorld } from './storeWorld.ts';

/**
 * Adds a job with one tick in the year, that many seconds from now by the database's clock, and
 * resolves to the tick. Where the machine stood still until the tick was over, which would leave
 * the job due in a year, it is added anew.
 */
export async function addOnce(
  { channel, rows }: Pick<StoreWorld, 'channel' | 'rows'>,
  name: string,
  inSeconds: number,
  more: Partial<JobDefinition> = {},
): Promise<number> {
  for (;;) {
    const [row] = await rows('SELECT NOW(3) + INTERVAL ? SECOND AS at', [inSeconds]);
    const at = row?.at as Date;
    const schedule = onceAt(at);
    const definition = { ...jobDefaults, name, schedule, command: 'true', ...more };
    const { nextRunMs } = await addJob(channel, definition);
    assert.ok(nextRunMs !== null);
    if (nextRunMs <= at.getTime() || inSeconds <= 0) return nextRunMs;
    await removeJob(channel, name);
  }
}

/** The schedule whose one tick in the year is at an instant, whole seconds, UTC. */
export function onceAt(at: Date): string {
  const [s, m, h] = [at.getUTCSeconds(), at.getUTCMinutes(), at.getUTCHours()];
  return `${s} ${m} ${h} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;
}
