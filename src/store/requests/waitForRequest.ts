import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes } from '../../domain/errors/errors.ts';
import type { Channel } from '../connection/channel.ts';
import { databaseFault } from '../connection/databaseFault.ts';
import { type RunShown, runColumns, runShown } from '../runs/runRow.ts';

const pollMs = 250;
/** How long the database may be away before a waiter gives up. */
const awayMsMax = 60_000;

/**
 * Waits until a requested launch has its last history row; null when `timeoutMs` is over before. A
 * database that is away for less than a minute is waited for.
 */
export function waitForRequest(channel: Channel, requestId: string, timeoutMs?: number) {
  return poll(channel, selectFinal, requestId, timeoutMs);
}

/** The same for a launch that is known by its id. */
export function waitForLaunch(channel: Channel, launchId: string, timeoutMs?: number) {
  return poll(channel, selectEnded, launchId, timeoutMs);
}

async function poll(
  channel: Channel,
  sql: string,
  id: string,
  timeoutMs = Number.POSITIVE_INFINITY,
): Promise<RunShown | null> {
  const untilMs = performance.now() + timeoutMs;
  let answeredMs = performance.now();
  for (;;) {
    try {
      const [run] = await channel.rows(runShown, sql, [id]);
      answeredMs = performance.now();
      if (run !== undefined) return run;
    } catch (error) {
      const isAway = databaseFault(error)?.exitCode === exitCodes.databaseAway;
      if (!isAway || performance.now() - answeredMs > awayMsMax) throw error;
    }
    if (performance.now() >= untilMs) return null;
    await sleep(Math.min(pollMs, Math.max(1, untilMs - performance.now())));
  }
}

const selectFinal = `/* waitForRequest */ SELECT ${runColumns}
  WHERE run.request_id = ? AND run.is_final = 1 ORDER BY run.run_id LIMIT 1`;
const selectEnded = `/* waitForLaunch */ SELECT ${runColumns} WHERE run.launch_id = ?`;
