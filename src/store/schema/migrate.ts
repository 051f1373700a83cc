import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { isVersionAtLeast } from '../../domain/versions/isVersionAtLeast.ts';
import { programFile } from '../../shipped/shippedFiles.ts';
import { Channel } from '../connection/channel.ts';
import { classifyError } from '../connection/classifyError.ts';
import type { DatabaseAddress } from '../connection/databaseAddress.ts';
import { only, text } from '../rows/row.ts';
import { applyMigration } from './applyMigration.ts';
import { withMigrationLease } from './migrationLease.ts';
import { requireEngine } from './requireEngine.ts';

const folder = programFile('src/store/schema/migrations/');
/** Of this version: read once, as a later version may stand there when a node starts. */
const knownNames = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort();

interface MigrateReport {
  readonly applied: string[];
  /** Names of every migration that the database has now. */
  readonly present: string[];
}

type Report = (line: string) => void;

const triesMax = 10;
const pauseMsMax = 200;
const duplicateKey = 1062;

/**
 * Brings the schema up to this code's, one plain `.sql` statement a file, each safe to run again
 * since DDL does not roll back. Ten nodes may start at once: a row of `migration_lock` is held on a
 * connection of its own (GET_LOCK would be per member on Galera). Through different members of a
 * Galera cluster nobody waits for that row: each works, and all but one learn at a write or at the
 * COMMIT that they were not alone; they begin again and find less to do. For several primaries of
 * a Group Replication that would not do: see `withMigrationLease`. A schema that is newer than the
 * code, and that `version` may not use (see `mayUseSchema`), is refused, and so is an engine that
 * fails a probe, before anything is migrated: OperatorError 78.
 */
export async function migrate(
  address: DatabaseAddress,
  report: Report = () => undefined,
  version: string | null = null,
): Promise<MigrateReport> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrateOnce(address, report, version);
    } catch (error) {
      if (tries === triesMax || !wasNotAlone(error)) throw error;
      await sleep(Math.random() * pauseMsMax * tries);
    }
  }
}

function wasNotAlone(error: unknown): boolean {
  const { errno } = error as { errno?: unknown };
  return errno === duplicateKey || classifyError(error) === 'retry';
}

async function migrateOnce(address: DatabaseAddress, report: Report, version: string | null) {
  const bounds = { timeoutMs: 120_000, lockWaitSeconds: 100, silenceSeconds: 600 };
  const open = (name: string): Channel => new Channel(name, address, bounds);
  const channels = [open('migrate'), open('migrate-lock'), open('migrate-lease')] as const;
  const [channel, lock, lease] = channels;
  try {
    await channel.query(createLock);
    await channel.query(fillLock);
    await requireEngine(channel, address);
    await channel.query(createStorage);
    return await withMigrationLease(lease, () =>
      lock.use(async (connection) => {
        await connection.query('/* migrate begin */ START TRANSACTION');
        const affected = await connection.change(takeLock);
        if (affected !== 1) throw new Error('migrate: the row of migration_lock is missing');
        const result = await runMissing(channel, report, version);
        await connection.query('/* migrate commit */ COMMIT');
        return result;
      }),
    );
  } finally {
    for (const each of channels) await each.close();
  }
}

/** The migrations that the database lacks, those that this code does not know, and all present. */
export async function compareSchema(channel: Channel) {
  const present = await readPresent(channel);
  return {
    present,
    missing: knownNames.filter((name) => !present.includes(name)),
    unknown: present.filter((name) => !knownNames.includes(name)),
  };
}

/**
 * Whether a version may work on a schema with migrations that it does not know. They add only,
 * unless one says otherwise: a migration that takes something away, or gives it another meaning,
 * notes the `oldest_version` that may still run.
 */
export async function mayUseSchema(channel: Channel, version: string | null): Promise<boolean> {
  if (version === null) return false;
  const [oldest] = await channel.rows(only(text), selectOldest);
  return oldest === undefined || isVersionAtLeast(version, oldest);
}

/** `newer`: it has what this version does not know, and may not use. */
export type SchemaFit = 'fits' | 'older' | 'newer';

/** Whether a version may work on the database's schema. Rejects with the driver's error. */
export async function readSchemaFit(channel: Channel, version: string): Promise<SchemaFit> {
  const { missing, unknown } = await compareSchema(channel);
  if (missing.length > 0) return 'older';
  if (unknown.length === 0 || (await mayUseSchema(channel, version))) return 'fits';
  return 'newer';
}

async function runMissing(channel: Channel, report: Report, version: string | null) {
  const { unknown, missing } = await compareSchema(channel);
  if (unknown.length > 0 && !(await mayUseSchema(channel, version))) throw schemaIsNewer(unknown);
  for (const name of missing) {
    report(`migrating: ${name}`);
    await applyMigration(channel, name, readFileSync(new URL(name, folder), 'utf8'));
    await channel.change(insertName, [name]);
  }
  return { applied: missing, present: await readPresent(channel) };
}

const readPresent = (channel: Channel) => channel.rows(only(text), selectNames);

function schemaIsNewer(names: string[]): OperatorError {
  return new OperatorError({
    code: 'schema_newer',
    message: `The database has migrations that this version does not know: ${names.join(', ')}.`,
    hint: 'Install the version of statecron that the other nodes run, or a later one.',
    exitCode: exitCodes.configuration,
  });
}

const createLock = `/* migrate */ CREATE TABLE IF NOT EXISTS migration_lock (
    lock_id INT UNSIGNED NOT NULL PRIMARY KEY, taken BIGINT UNSIGNED NOT NULL) ENGINE = InnoDB`;
const fillLock = '/* migrate */ INSERT IGNORE INTO migration_lock (lock_id, taken) VALUES (1, 0)';
const takeLock = '/* migrate lock */ UPDATE migration_lock SET taken = taken + 1 WHERE lock_id = 1';
const createStorage = `/* migrate */ CREATE TABLE IF NOT EXISTS migration (
    migration_name VARCHAR(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    applied_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)) ENGINE = InnoDB`;
const selectOldest =
  "/* mayUseSchema */ SELECT note_value FROM note WHERE note_name = 'oldest_version'";
const insertName = '/* migrate */ INSERT INTO migration (migration_name) VALUES (?)';
const selectNames = '/* migrate */ SELECT migration_name FROM migration ORDER BY migration_name';
