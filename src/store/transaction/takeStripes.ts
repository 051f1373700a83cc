import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { integer, only } from '../rows/row.ts';

/**
 * Takes those of the given lock rows that are free, without waiting, and resolves to them. First
 * FOR UPDATE SKIP LOCKED, which cannot deadlock since it never waits; then a write of exactly the
 * rows that it got, because on Galera and on multi-primary Group Replication only a write excludes.
 * All in two statements whatever the number: 64 lock rows cost a transaction no more than one.
 */
export async function takeFreeStripes(
  connection: ChannelConnection,
  lockIds: readonly number[],
): Promise<Set<number>> {
  if (lockIds.length === 0) return new Set();
  const got = await connection.rows(only(integer), lockFree, [lockIds]);
  if (got.length < lockIds.length) await requireLockRows(connection, lockIds);
  if (got.length > 0) await write(connection, got);
  return new Set(got);
}

/**
 * Takes the given lock rows, waiting for each at most the connection's lock wait time, in ascending
 * order and one statement each, so that two that do so cannot deadlock.
 */
export async function takeStripes(
  connection: ChannelConnection,
  lockIds: readonly number[],
): Promise<void> {
  for (const lockId of [...lockIds].sort((a, b) => a - b)) {
    const got = await connection.rows(only(integer), lockOne, [lockId]);
    if (got.length !== 1) throw lockRowMissing([lockId]);
    await write(connection, [lockId]);
  }
}

async function write(connection: ChannelConnection, lockIds: readonly number[]): Promise<void> {
  const affected = await connection.change(writeTaken, [lockIds]);
  if (affected !== lockIds.length) throw lockRowMissing(lockIds);
}

/** A lock row that is not there would look busy for ever: a plain read finds it missing. */
async function requireLockRows(
  connection: ChannelConnection,
  lockIds: readonly number[],
): Promise<void> {
  const [there] = await connection.rows(only(integer), countLockRows, [lockIds]);
  if (there !== lockIds.length) throw lockRowMissing(lockIds);
}

function lockRowMissing(lockIds: readonly number[]): OperatorError {
  return new OperatorError({
    code: 'lock_row_missing',
    message: `A lock row is missing from the table lock_row (of ${lockIds.join(', ')}).`,
    hint: 'Nothing is scheduled without its lock. Put it back with: statecron doctor --fix',
    exitCode: exitCodes.configuration,
  });
}

const lockFree = `/* takeFreeStripes */ SELECT lock_id FROM lock_row
  WHERE lock_id IN (?) ORDER BY lock_id FOR UPDATE SKIP LOCKED`;
const lockOne = '/* takeStripe */ SELECT lock_id FROM lock_row WHERE lock_id = ? FOR UPDATE';
const writeTaken = '/* writeTaken */ UPDATE lock_row SET taken = taken + 1 WHERE lock_id IN (?)';
const countLockRows =
  '/* countLockRows */ SELECT COUNT(*) AS lock_rows FROM lock_row WHERE lock_id IN (?)';
