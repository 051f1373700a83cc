import { setTimeout as sleep } from 'node:timers/promises';
import { committed, type Outcome, refused, unknown } from '../../domain/errors/outcome.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { classifyError } from '../connection/classifyError.ts';
import { noteNotDone } from '../connection/databaseFault.ts';

/** What the work inside a transaction decides; both are committed, a refusal too. */
export type Decision<T> = { readonly commit: T } | { readonly refuse: string };

const triesMax = 5;
const pauseMsMax = 40;

/**
 * Runs `work` in one transaction and resolves to its outcome. The work takes its locks first. What
 * it read counts only after the transaction's own COMMIT, so a refusal is committed before it is
 * believed. Errors that the server is known to roll back for (1205, 1213, 3101) make it roll
 * back and run the whole again, a bounded number of times. COMMIT is sent once: after an error on
 * it the connection is gone and the outcome is `unknown`, never tried again on its own (a second
 * COMMIT answers OK with nothing written). Errors that `work` throws of its own are thrown on,
 * rolled back.
 */
export async function transact<T>(
  channel: Channel,
  name: string,
  work: (connection: ChannelConnection) => Promise<Decision<T>>,
): Promise<Outcome<T>> {
  for (let tries = 1; ; tries += 1) {
    const attempt = await attemptOnce(channel, name, work);
    if (attempt !== 'again') return attempt;
    if (tries === triesMax) return unknown(conflictOf(name));
    await sleep(Math.random() * pauseMsMax * tries);
  }
}

/**
 * The same for work that refuses nothing: resolves to its value.
 * @throws what left the outcome unknown.
 */
export async function transactOrThrow<T>(
  channel: Channel,
  name: string,
  work: (connection: ChannelConnection) => Promise<T>,
): Promise<T> {
  const outcome = await transact(channel, name, async (connection) => {
    return { commit: await work(connection) };
  });
  if (outcome.outcome === 'committed') return outcome.value;
  throw outcome.outcome === 'unknown' ? outcome.cause : new Error(`${name}: ${outcome.reason}`);
}

class LockConflictError extends Error {}

/** True when the server rolled the transaction back each time: it is known not to be done. */
export function isLockConflict(error: Error): boolean {
  return error instanceof LockConflictError;
}

function conflictOf(name: string): Error {
  const error = new LockConflictError(`${name} met lock conflicts ${triesMax} times`);
  noteNotDone(error);
  return error;
}

async function attemptOnce<T>(
  channel: Channel,
  name: string,
  work: (connection: ChannelConnection) => Promise<Decision<T>>,
): Promise<Outcome<T> | 'again'> {
  try {
    return await channel.use(async (connection) => {
      let decision: Decision<T>;
      let isCommitSent = false;
      try {
        await connection.query(`/* ${name} begin */ START TRANSACTION`);
        decision = await work(connection);
        isCommitSent = true;
        await connection.query(`/* ${name} commit */ COMMIT`);
      } catch (error) {
        if (!isCommitSent) noteNotDone(error);
        await rollBack(connection, name);
        throw error;
      }
      return 'commit' in decision ? committed(decision.commit) : refused(decision.refuse);
    });
  } catch (error) {
    if (classifyError(error) === 'retry') return 'again';
    if (isDriverError(error)) return unknown(error);
    throw error;
  }
}

/** A rollback that fails leaves nothing to believe in: the connection goes. */
async function rollBack(connection: ChannelConnection, name: string): Promise<void> {
  try {
    await connection.query(`/* ${name} rollback */ ROLLBACK`);
  } catch {
    connection.destroy(); // the server rolls back what a closed connection left open
  }
}

/**
 * The driver's errors carry a code; assertions and OperatorErrors of ours carry none of the kind.
 */
function isDriverError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { errno, code, fatal } = error as { errno?: unknown; code?: unknown; fatal?: unknown };
  return typeof errno === 'number' || fatal !== undefined || driverCode.test(String(code));
}

const driverCode = /^(PROTOCOL_|E[A-Z]+$|ER_|HANDSHAKE_)/;
