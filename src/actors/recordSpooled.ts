import type { LaunchPlace } from '../domain/run/lateResult.ts';
import type { LateResults, Runtime } from './runtime/runtime.ts';

/** Files looked at in one go; the others have their turn at the next look. */
const filesMax = 200;
/** How long a result is kept that nothing in the database knows of. */
const keptMsMax = 7 * 24 * 3_600_000;

/**
 * Completes lost runs with the results that earlier processes of the node's name have left on this
 * host; files of the own session are the slot actors' to remove. Resolves to the last launch that
 * was looked at, behind which the next look goes on.
 */
export async function recordSpooled(
  runtime: Runtime,
  late: LateResults,
  lastSeen: string,
): Promise<string> {
  const own = `${runtime.introduction.sessionId}:`;
  const all = (await late.spool.list()).filter((launchId) => !launchId.startsWith(own));
  const ahead = all.filter((launchId) => launchId > lastSeen);
  const launchIds = (ahead.length > 0 ? ahead : all).slice(0, filesMax);
  if (launchIds.length === 0) return '';
  const places = await late.store.findLaunches(launchIds);
  for (const launchId of launchIds) {
    await settle(runtime, late, launchId, places.get(launchId) ?? 'nowhere');
  }
  return launchIds.at(-1) ?? '';
}

async function settle(
  { reports }: Runtime,
  { spool, store }: LateResults,
  launchId: string,
  place: LaunchPlace,
): Promise<void> {
  if (place === 'held') return; // a reaper will call it lost
  if (place === 'ended') return spool.remove(launchId);
  if (place === 'nowhere') {
    const ageMs = await spool.ageMs(launchId);
    if (ageMs === null || ageMs < keptMsMax) return;
    const error = new Error(`nothing knows ${launchId}, its file is ${ageMs} ms old and goes`);
    reports.trouble('a spooled result is dropped', error);
    return spool.remove(launchId);
  }
  const result = await spool.read(launchId);
  if (result === null) return;
  if ('damage' in result) {
    reports.trouble('a spooled result is dropped', new Error(`${launchId}: ${result.damage}`));
    return spool.remove(launchId);
  }
  const outcome = await store.recordLate(result);
  if (outcome.outcome === 'unknown') throw outcome.cause;
  await spool.remove(launchId);
  if (outcome.outcome === 'committed') {
    reports.recordedLate?.(launchId, outcome.value, result.execution);
  }
}
