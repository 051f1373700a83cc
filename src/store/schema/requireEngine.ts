import { randomInt } from 'node:crypto';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { Channel, type ChannelConnection } from '../connection/channel.ts';
import { classifyError } from '../connection/classifyError.ts';
import type { DatabaseAddress } from '../connection/databaseAddress.ts';
import { integer, only, text } from '../rows/row.ts';
import { useSnapshot } from './useSnapshot.ts';

const bounds = { timeoutMs: 10_000, lockWaitSeconds: 1, silenceSeconds: 15 };
/** A connection may go over to another member between two statements. */
const triesMax = 2;

/**
 * Tries what nodes rely on, since what calls itself MySQL may do something else: TiDB reports
 * 8.0.11 and takes no lock for SKIP LOCKED (pingcap/tidb 69720), and a proxy may read from
 * replicas. Sixteen statements over two connections, on a row of its own, so that nobody waits for
 * it however many nodes start.
 * @throws OperatorError, see isUnfit; the driver's errors, which say nothing of the engine.
 */
export async function requireEngine(first: Channel, address: DatabaseAddress): Promise<void> {
  const second = new Channel('probe', address, bounds);
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        return await probeEngine(first, second);
      } catch (error) {
        const mayPass = isUnfit(error) || classifyError(error) === 'retry';
        if (tries === triesMax || !mayPass) throw error;
      }
    }
  } finally {
    await second.close();
  }
}

/** Whether an error says that the engine does not do what nodes rely on. */
export function isUnfit(error: unknown): error is OperatorError {
  return error instanceof OperatorError && error.code === 'engine_unfit';
}

/** One thing that nodes rely on, tried on a row; resolves to what came, null: what is expected. */
interface Probe {
  readonly name: string;
  readonly expected: string;
  readonly run: (first: Channel, second: Channel, lockId: number) => Promise<string | null>;
}

const probes: readonly Probe[] = [
  {
    name: 'SKIP LOCKED',
    expected: 'a connection passes over a row that another one got by FOR UPDATE SKIP LOCKED',
    run: tryLock,
  },
  {
    name: 'snapshot',
    expected: 'a consistent snapshot shows nothing of a later change, and the next read does',
    run: tryReads,
  },
];

async function probeEngine(first: Channel, second: Channel): Promise<void> {
  const lockId = await addRow(first);
  try {
    for (const probe of probes) {
      const came = await probe.run(first, second, lockId).catch(answerOf);
      if (came !== null) throw await engineUnfit(first, probe, came);
    }
  } finally {
    // One that cannot be deleted now is stale in an hour.
    await first.change(deleteRows, [[lockId]]).catch(() => undefined);
  }
}

/** ER_PARSE_ERROR and ER_NOT_SUPPORTED_YET are answers; other errors say nothing of the engine. */
function answerOf(error: unknown): string {
  const { errno, message } = error as { errno?: unknown; message?: string };
  if (errno !== 1064 && errno !== 1235) throw error;
  return `error ${errno} (${message})`;
}

/** A row for one try; those of processes that were killed are forgotten after an hour. */
async function addRow(channel: Channel): Promise<number> {
  const stale = await channel.rows(only(integer), selectStale, [firstRow]);
  if (stale.length > 0) await channel.change(deleteRows, [stale]);
  const lockId = randomInt(firstRow, lastRow);
  await channel.change(insertRow, [lockId]);
  return lockId;
}

function tryLock(first: Channel, second: Channel, lockId: number): Promise<string | null> {
  return begun(first, (holder) =>
    begun(second, async (other) => {
      const [held] = await holder.rows(only(integer), lockFree, [lockId]);
      if (held === undefined) return 'it passed over a free row';
      const taken = await other.rows(only(integer), lockFree, [lockId]).catch(waited);
      if (taken === null) return 'it waited for the row';
      if (taken.length === 0) return null;
      return (await mayCommitOne(holder, other, lockId)) ? null : 'both got the row';
    }),
  );
}

/** ER_LOCK_WAIT_TIMEOUT. */
function waited(error: unknown): null {
  if ((error as { errno?: unknown }).errno !== 1205) throw error;
  return null;
}

/**
 * Two members of a cluster that both take writes do not know of each other's locks: neither waits,
 * and of two that have written the row only the first can commit. That is why locks are written.
 */
async function mayCommitOne(
  holder: ChannelConnection,
  other: ChannelConnection,
  lockId: number,
): Promise<boolean> {
  for (const each of [holder, other]) {
    if (await isLost(each.change(writeTaken, [lockId]))) return false;
  }
  await holder.query(commit);
  return isLost(other.query(commit));
}

function isLost(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => false,
    (error) => {
      if (classifyError(error) === 'retry') return true;
      throw error;
    },
  );
}

/** In a transaction whose end says that its connection, and so its locks, were there to the end. */
function begun<T>(channel: Channel, work: (connection: ChannelConnection) => Promise<T>) {
  return channel.use(async (connection) => {
    try {
      await connection.query(begin);
      const result = await work(connection);
      await connection.query(rollback);
      return result;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  });
}

async function tryReads(first: Channel, second: Channel, lockId: number): Promise<string | null> {
  const read = async (from: Channel | ChannelConnection): Promise<number> =>
    (await from.rows(only(integer), selectTaken, [lockId]))[0] ?? 0;
  const before = await read(first);
  const during = await useSnapshot(first, async (connection) => {
    await second.change(writeTaken, [lockId]);
    return read(connection);
  });
  const after = await read(first);
  if (during === before && after === before + 1) return null;
  return `it shows ${during} and the next read ${after}, where ${before} was raised by one`;
}

async function engineUnfit(
  channel: Channel,
  { name, expected }: Probe,
  came: string,
): Promise<OperatorError> {
  const version = await channel.row(only(text), selectVersion);
  return new OperatorError({
    code: 'engine_unfit',
    message:
      `The database server (${version}) fails the probe "${name}": ` +
      `expected: ${expected}; came: ${came}. Nothing was changed.`,
    hint:
      'Use MariaDB 10.6 or MySQL 8.0.1, or later, without a proxy that changes statements or ' +
      'sends them to replicas. See: statecron docs troubleshooting',
    exitCode: exitCodes.configuration,
  });
}

/** Rows of migration_lock from here on are those of probes; below are the locks of migrations. */
const firstRow = 1_000_000;
const lastRow = 2 ** 32 - 1;

const nowMs = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS UNSIGNED)';
const selectStale = `/* probe stale */ SELECT lock_id FROM migration_lock
  WHERE lock_id >= ? AND taken < ${nowMs} - 3600000 LIMIT 100`;
const insertRow = `/* probe row */ INSERT INTO migration_lock (lock_id, taken)
  VALUES (?, ${nowMs})`;
const deleteRows = '/* probe row */ DELETE FROM migration_lock WHERE lock_id IN (?)';
const begin = '/* probe begin */ START TRANSACTION';
const lockFree = `/* probe lock */ SELECT taken FROM migration_lock
  WHERE lock_id = ? FOR UPDATE SKIP LOCKED`;
const writeTaken = `/* probe write */ UPDATE migration_lock SET taken = taken + 1
  WHERE lock_id = ?`;
const commit = '/* probe commit */ COMMIT';
const rollback = '/* probe end */ ROLLBACK';
const selectTaken = '/* probe read */ SELECT taken FROM migration_lock WHERE lock_id = ?';
const selectVersion = '/* engineUnfit */ SELECT VERSION()';
