import type { BackupHead } from '../../domain/backup/backupLines.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import { sessionLockId } from '../../domain/run/stripes.ts';
import { counted } from '../../domain/text/counted.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { integer, only, text } from '../rows/row.ts';
import { readMarker, writeMarker, writeNote } from '../schema/restoreMarker.ts';
import { backupTables } from './backupTables.ts';

/**
 * Marks the database as one that is being restored: from the commit on no node joins it. Under the
 * lock of session management, so that none joins between the look and the mark. Resolves to whether
 * there is anything to be cleared away first: what a restore left that was cut short, or, with
 * `isForced`, what is there.
 * @throws OperatorError `nodes_live`, `database_not_empty` (nothing is changed).
 */
export async function beginRestore(
  channel: Channel,
  head: BackupHead,
  { isForced, version }: { readonly isForced: boolean; readonly version: string },
): Promise<{ readonly isCleared: boolean }> {
  return changeOnce<{ isCleared: boolean }>(channel, {
    ...{ name: 'beginRestore', lock: [sessionLockId], look: 'statecron doctor' },
    work: async (connection) => {
      const live = await connection.rows(only(text), selectLive);
      if (live.length > 0) throw nodesLive(live);
      const marker = await readMarker(connection);
      const filled = await findFilled(connection);
      const isTorn = marker?.state === 'loading';
      if (filled !== null && !isTorn && !isForced) {
        const [jobs = 0] = await connection.rows(only(integer), countJobs);
        throw notEmpty(filled, jobs);
      }
      const [oldest = null] = await connection.rows(only(text), selectOldest);
      await writeMarker(connection, {
        state: 'loading',
        takenMs: head.takenMs,
        restoredMs: null,
        hasHistory: head.hasHistory,
        oldestVersion: marker === null ? oldest : marker.oldestVersion,
      });
      await writeNote(connection, 'oldest_version', version);
      return { commit: { isCleared: filled === null } };
    },
  });
}

/** Takes all away that a backup would bring, and what hangs on it, a bounded part at once. */
export async function clearTables(channel: Channel): Promise<void> {
  for (const table of [...backupTables.map((each) => each.table), ...dependent]) {
    if (table === 'note') continue;
    const sql = `/* clearTables */ DELETE FROM ${table} LIMIT ${clearedRowsMax}`;
    while ((await channel.change(sql)) === clearedRowsMax);
  }
}

const clearedRowsMax = 1_000;
const dependent = ['run_output', 'run_live', 'audit_log', 'api_login', 'idempotency_key', 'notice'];

/** A table with rows that only a cluster in use has, or null. */
async function findFilled(connection: ChannelConnection): Promise<string | null> {
  for (const { table } of backupTables) {
    if (table === 'note' || table === 'session') continue;
    const sql = `/* beginRestore */ SELECT 1 FROM ${table} LIMIT 1`;
    if ((await connection.rows(only(integer), sql)).length > 0) return table;
  }
  return null;
}

function nodesLive(names: readonly string[]): OperatorError {
  const message = `Nodes are live on this database: ${names.slice(0, 5).join(', ')}.`;
  const hint = 'Stop all of them first; see: statecron cluster';
  return new OperatorError({ code: 'nodes_live', message, hint });
}

function notEmpty(table: string, jobs: number): OperatorError {
  const what = jobs > 0 ? `it has ${counted(jobs, 'job')}` : `there are rows in the table ${table}`;
  const message = `The database is not empty: ${what}.`;
  const hint = 'Restore into a new one (statecron migrate), or give --force to lose what is there.';
  return new OperatorError({ code: 'database_not_empty', message, hint });
}

/** A node that has not renewed for twice its TTL is gone, and fenced if it ever comes back. */
const selectLive = `/* beginRestore live */ SELECT node_name FROM session
  WHERE state = 'live' AND renewed_at > NOW(3) - INTERVAL 2000 * ttl_ms MICROSECOND`;
const countJobs = '/* beginRestore jobs */ SELECT COUNT(*) FROM job WHERE removed_no = 0';
const selectOldest = `/* beginRestore oldest */ SELECT note_value FROM note
  WHERE note_name = 'oldest_version'`;
