import type { Outcome } from '../../../src/domain/errors/outcome.ts';
import type { LateResult, LaunchPlace } from '../../../src/domain/run/lateResult.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import { takeRow } from './memoryLocks.ts';
import { memoryTransact } from './memoryTransact.ts';

/** Where launches are, slots first, as `findLaunches` returns it. */
export async function findLaunchRows(
  channel: MemoryChannel,
  launchIds: readonly string[],
): Promise<ReadonlyMap<string, LaunchPlace>> {
  const { tables } = channel.parts.server;
  const wanted = new Set(launchIds);
  const places = new Map<string, LaunchPlace>();
  await channel.query('findLaunches held', ({ counts }) => {
    counts.add('launches', wanted.size);
    for (const launchId of wanted) {
      for (const _ of tables.slotsByLaunch.rows(launchId)) places.set(launchId, 'held');
    }
  });
  await channel.query('findLaunches ended', ({ counts }) => {
    counts.add('launches', wanted.size);
    for (const launchId of wanted) {
      const run = tables.runs.get(tables.runIds.get(launchId) ?? 0);
      if (run !== undefined) places.set(launchId, run.result === 'lost' ? 'lost' : 'ended');
    }
  });
  return places;
}

/** Completes a run that was called lost, once, as `recordLate` does it. */
export function recordLateRow(
  channel: MemoryChannel,
  { launchId, execution, endedMs }: LateResult,
): Promise<Outcome<string>> {
  return memoryTransact<string>(channel, () =>
    channel.step('recordLate', async (transaction, session) => {
      await takeRow(channel, session, `run of ${launchId}`);
      const run = transaction.runOf(launchId);
      if (run?.result !== 'lost') return { refuse: 'the run is not lost' };
      const latestMs = Math.min(transaction.nowMs(), endedMs ?? run.endedMs);
      transaction.putRun({
        ...run,
        result: execution.result === 'spawn_failed' ? 'failed' : execution.result,
        exitCode: execution.result === 'spawn_failed' ? null : execution.exitCode,
        reason: 'Its node was lost; the result was recorded late.',
        endedMs: Math.max(run.startedMs ?? run.scheduledForMs, latestMs),
      });
      return { commit: transaction.jobs.get(run.jobId)?.name ?? '' };
    }),
  );
}
