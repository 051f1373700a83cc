import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '../connection/channel.ts';
import { classifyError } from '../connection/classifyError.ts';
import { serverVariable } from '../connection/prepareSession.ts';
import { only, text } from '../rows/row.ts';

const leaseMs = 10_000;
const renewalsPerLease = 4;
const pauseMsMax = 300;

/**
 * Runs `work` while nobody else migrates through another primary of a Group Replication. A row's
 * lock is one member's own there, and two that add one column at two members are both answered OK;
 * then each gets the other's statement, fails on it and leaves the group. So the right to change
 * the schema is a row that is committed first, which certification gives to one alone. One that
 * dies with it is waited for. Anywhere else there is nothing to wait for.
 */
export async function withMigrationLease<T>(channel: Channel, work: () => Promise<T>): Promise<T> {
  if (!(await hasSeveralPrimaries(channel))) return work();
  await channel.query(fillLease);
  let mark = await takeLease(channel);
  const renew = async (): Promise<void> => {
    mark = (await writeLease(channel, mark, renewLease)) ?? mark;
  };
  // One that cannot be renewed, or be given back, runs out.
  const renewing = setInterval(() => renew().catch(ignored), leaseMs / renewalsPerLease);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    // Behind a renewal that is under way: a channel serves one after the other.
    await channel.use((connection) => connection.change(freeLease, [mark])).catch(ignored);
  }
}

const ignored = (): void => undefined;

async function hasSeveralPrimaries(channel: Channel): Promise<boolean> {
  const values = new Map(await channel.rows(serverVariable, showMode));
  return (
    (values.get('group_replication_group_name') ?? '') !== '' &&
    values.get('group_replication_single_primary_mode') === 'OFF'
  );
}

/** Resolves to what the row holds as long as the lease is one's own. */
async function takeLease(channel: Channel): Promise<string> {
  for (;;) {
    const mark = await writeLease(channel, null, takeFree);
    if (mark !== null) return mark;
    await sleep(Math.random() * pauseMsMax);
  }
}

/** The end of the lease in microseconds, whose last digits are anybody's; null: not written. */
async function writeLease(channel: Channel, mark: string | null, statement: string) {
  try {
    const [nowMs = ''] = await channel.rows(only(text), readClock);
    const untilUs = BigInt(nowMs) * 1000n + BigInt(leaseMs * 1000);
    const next = `${untilUs + BigInt(Math.floor(Math.random() * 1e6))}`;
    const parameters = mark === null ? [next] : [next, mark];
    return (await channel.change(statement, parameters)) === 1 ? next : null;
  } catch (error) {
    if (classifyError(error) === 'retry') return null; // another member's came first
    throw error;
  }
}

const nowUs = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000000 AS UNSIGNED)';
const showMode = `/* migrate lease */ SHOW VARIABLES
  WHERE Variable_name IN ('group_replication_group_name', 'group_replication_single_primary_mode')`;
const fillLease =
  '/* migrate lease */ INSERT IGNORE INTO migration_lock (lock_id, taken) VALUES (2, 0)';
const readClock = `/* migrate lease */
  SELECT CAST(ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) AS CHAR) AS now_ms`;
const takeFree = `/* migrate lease */ UPDATE migration_lock SET taken = ?
  WHERE lock_id = 2 AND taken < ${nowUs}`;
const renewLease = `/* migrate lease */ UPDATE migration_lock SET taken = ?
  WHERE lock_id = 2 AND taken = ?`;
const freeLease = `/* migrate lease */ UPDATE migration_lock SET taken = 0
  WHERE lock_id = 2 AND taken = ?`;
