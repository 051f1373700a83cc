import { OperatorError } from '../../domain/errors/errors.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import { sessionLockId } from '../../domain/run/stripes.ts';
import { writeAudit } from '../audit/writeAudit.ts';
import type { Channel } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import {
  type RestoreMarker,
  readMarker,
  restoredFault,
  writeNote,
} from '../schema/restoreMarker.ts';
import { settleJobs } from './settleJobs.ts';

/** The result of a confirmation. */
interface RestoreConfirmed {
  readonly jobs: number;
  /** Ticks, launches and requests of which nobody knows here what became of them. */
  readonly missed: number;
  readonly takenMs: number;
  /** From this instant on, by the database's clock, the jobs' schedules count again. */
  readonly confirmedMs: number;
}

/**
 * Makes a restored copy the database to go on with. What it knows is as old as its backup: since
 * then the ticks came and went elsewhere, or nowhere. None of them is made up for, since that would
 * run again what ran: each is accounted for as missed, with the reason, up to now. Job after job in
 * bounded transactions; one that is cut short is repeated; until it is done no node joins.
 * @throws OperatorError `not_restored`, `restore_unfinished`, `definition_foreign`.
 */
export async function confirmRestore(
  channel: Channel,
  progress: (jobs: number) => void = () => undefined,
): Promise<RestoreConfirmed> {
  const marker = await readMarker(channel);
  if (marker === null) throw notRestored();
  if (marker.state === 'loading') throw restoredFault(marker);
  const { takenMs } = marker;
  // Never before the backup, though this server's clock may be behind that of the other.
  const untilMs = Math.max(await channel.readNow(), takenMs + 1);
  const reason = reasons.restored(takenMs);
  let jobs = 0;
  let missed = 0;
  for (let lastId = 0; ; ) {
    const settled = await settleJobs(channel, { afterId: lastId, untilMs, reason });
    if (settled === null) break;
    lastId = settled.lastId;
    jobs += settled.jobs;
    missed += settled.missed;
    progress(jobs);
  }
  await unmark(channel, marker, { jobs, missed });
  return { jobs, missed, takenMs, confirmedMs: untilMs };
}

async function unmark(
  channel: Channel,
  marker: RestoreMarker,
  counts: { readonly jobs: number; readonly missed: number },
): Promise<void> {
  const target = new Date(marker.takenMs).toISOString();
  await changeOnce<null>(channel, {
    ...{ name: 'confirmRestore', lock: [sessionLockId], look: 'statecron doctor' },
    work: async (connection) => {
      // A second try finds nothing more to do.
      if ((await connection.change(deleteMarker)) === 0) return { commit: null };
      const { oldestVersion } = marker;
      if (oldestVersion === null) await connection.change(deleteOldest);
      else await writeNote(connection, 'oldest_version', oldestVersion);
      const confirmed = new Date(await connection.readNow()).toISOString();
      await writeNote(connection, 'restored', JSON.stringify({ taken: target, confirmed }));
      await connection.change(moveTargeting);
      // Ends of upstreams until now start nothing: what follows them may have run.
      await connection.change(moveLinks);
      await writeAudit(connection, { action: 'cluster.restore', target, after: counts });
      return { commit: null };
    },
  });
}

function notRestored(): OperatorError {
  const message = 'The database is no restored copy that waits to be confirmed.';
  const hint = 'There is nothing to do. Restore a backup with: statecron restore FILE';
  return new OperatorError({ code: 'not_restored', message, hint });
}

const deleteMarker = "/* confirmRestore */ DELETE FROM note WHERE note_name = 'restore'";
const deleteOldest = `/* confirmRestore version */ DELETE FROM note
  WHERE note_name = 'oldest_version'`;
const moveTargeting = `/* confirmRestore targeting */ UPDATE targeting_version
  SET version = version + 1`;
const moveLinks = `/* confirmRestore chains */ UPDATE chain_link
  SET linked_at = NOW(3) + INTERVAL 1000 MICROSECOND, swept_until = linked_at`;
