import type { BackupHead, BackupTable, BackupValue } from '../../domain/backup/backupLines.ts';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { sessionEnds } from '../../domain/reasons/sessionEnd.ts';
import { sessionLockId } from '../../domain/run/stripes.ts';
import type { Channel } from '../connection/channel.ts';
import { migrateHint } from '../connection/grantStatement.ts';
import { asBase64, type Parameter } from '../connection/queryable.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { integer, nullable, only } from '../rows/row.ts';
import { compareSchema } from '../schema/migrate.ts';
import { readMarker, writeMarker } from '../schema/restoreMarker.ts';
import { backupTables, readColumns } from './backupTables.ts';

/**
 * Refuses a backup that this database has no place for: one with a table, a column or a migration
 * that it lacks. So no name of the file comes into a statement that is not a name of the schema.
 * @throws OperatorError `schema_older` or `backup_newer` (78); nothing is changed.
 */
export async function requireFits(
  channel: Channel,
  head: BackupHead,
  tables: readonly BackupTable[],
): Promise<void> {
  const { missing, present } = await compareSchema(channel);
  if (missing.length > 0) {
    throw new OperatorError({
      code: 'schema_older',
      message: `The database lacks migrations: ${missing.join(', ')}.`,
      hint: migrateHint,
      exitCode: exitCodes.configuration,
    });
  }
  const unknown = head.migrations.filter((name) => !present.includes(name));
  if (unknown.length > 0) throw newer(`it has migrations that are unknown: ${unknown.join(', ')}`);
  for (const { table, columns } of tables) {
    if (!backupTables.some((each) => each.table === table)) throw newer(`it has a table ${table}`);
    const known = await readColumns(channel, table);
    const other = columns.find((column) => !known.includes(column));
    if (other !== undefined) throw newer(`its table ${table} has a column ${other}`);
  }
}

/** Writes rows of one table, in one statement; `requireFits` has let its names through. */
export async function loadRows(
  channel: Channel,
  { table, columns }: BackupTable,
  rows: readonly (readonly BackupValue[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns.map((column) => `\`${column}\``).join(', ');
  // Notes are there in every database, and those of the backup win.
  const verb = table === 'note' ? 'REPLACE' : 'INSERT';
  const sql = `/* loadRows */ ${verb} INTO \`${table}\` (${names}) VALUES ?`;
  const affected = await channel.change(sql, [rows.map((row) => row.map(asParameter))]);
  if (affected < rows.length) throw new Error(`loadRows: ${affected} of ${rows.length} rows`);
}

function asParameter(value: BackupValue): Parameter {
  return value instanceof Uint8Array ? asBase64(value) : value;
}

/**
 * All rows are there: the sessions of the backup are over, and from when on the history is whole is
 * noted. From here on the copy waits to be confirmed.
 */
export async function finishLoad(channel: Channel, head: BackupHead): Promise<void> {
  const taken = new Date(head.takenMs);
  await channel.change(endSessions, [taken, sessionEnds.restored, taken]);
  if (!head.hasHistory) await noteHistory(channel, taken);
  await changeOnce<null>(channel, {
    ...{ name: 'finishLoad', lock: [sessionLockId], look: 'statecron doctor' },
    work: async (connection) => {
      const marker = await readMarker(connection);
      if (marker === null) return { refuse: 'somebody else restores' };
      const restoredMs = await connection.readNow();
      await writeMarker(connection, { ...marker, state: 'restored', restoredMs });
      return { commit: null };
    },
  });
}

async function noteHistory(channel: Channel, taken: Date): Promise<void> {
  const lastId = (await channel.rows(only(nullable(integer)), selectEnds))[0] ?? 0;
  for (let from = 0; from <= lastId; from += jobsAtOnce) {
    await channel.change(moveHistory, [taken, taken, from, from + jobsAtOnce]);
  }
}

const jobsAtOnce = 5_000;

function newer(what: string): OperatorError {
  return new OperatorError({
    code: 'backup_newer',
    message: `The backup is of a later version of statecron: ${what}.`,
    hint: 'Restore it with that version, or a later one. Nothing was changed.',
    exitCode: exitCodes.configuration,
  });
}

const endSessions = `/* finishLoad sessions */ UPDATE session
  SET state = 'ended', ended_at = IFNULL(ended_at, ?), ended_why = IFNULL(ended_why, ?),
    reaped_at = ?
  WHERE state = 'live' OR reaped_at IS NULL`;
const selectEnds = '/* finishLoad jobs */ SELECT MAX(job_id) AS last_id FROM job';
const moveHistory = `/* finishLoad history */ UPDATE job
  SET history_from = GREATEST(IFNULL(history_from, ?), ?) WHERE job_id >= ? AND job_id < ?`;
