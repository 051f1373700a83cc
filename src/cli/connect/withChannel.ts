import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { ChangedBy } from '../../domain/access/changedBy.ts';
import { type ExitCode, OperatorError } from '../../domain/errors/errors.ts';
import { Channel } from '../../store/connection/channel.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import { migrateHint } from '../../store/connection/grantStatement.ts';
import { compareSchema } from '../../store/schema/migrate.ts';

type ChannelBounds = ConstructorParameters<typeof Channel>[2];

/**
 * An operator's command is no hot path: it may wait for a lock a few times as long as a node. One
 * that is cut off in its transaction holds its job's stripe for the time of silence.
 */
const operatorBounds = { timeoutMs: 20_000, lockWaitSeconds: 5, silenceSeconds: 15 } as const;

/** Opens a channel to the database for `use`, and closes it whatever happens. */
export async function withChannel<T>(
  address: DatabaseAddress,
  use: (channel: Channel) => Promise<T>,
  name = 'operator',
  bounds: ChannelBounds = operatorBounds,
): Promise<T> {
  const channel = new Channel(name, address, bounds);
  try {
    return await use(channel);
  } finally {
    await channel.close();
  }
}

/** The same for changes of this user's, whom the audit log names. */
export async function withUserChannel<T>(
  address: DatabaseAddress,
  use: (channel: Channel) => Promise<T>,
  name?: string,
  bounds?: ChannelBounds,
): Promise<T> {
  const useAsUser = (channel: Channel): Promise<T> => {
    channel.by = thisUser();
    return use(channel);
  };
  return withChannel(address, useAsUser, name, bounds);
}

/** The user who runs this command on the database itself. */
function thisUser(): ChangedBy {
  const actor = `${userName()}@${hostname()}`.slice(0, actorCharactersMax);
  return { actor, via: 'cli', requestId: randomUUID(), address: null };
}

/** The person, if it became root by sudo. In a container a user may have a number and no name. */
function userName(): string {
  const { SUDO_USER = '' } = process.env;
  if (process.getuid?.() === 0 && SUDO_USER !== '') return SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

const actorCharactersMax = 191;

/** Which migrations the database lacks, or has beyond this version's. */
export async function readSchema(
  channel: Channel,
): Promise<{ isEmpty: boolean; missing: string[]; unknown: string[] }> {
  try {
    return { ...(await compareSchema(channel)), isEmpty: false };
  } catch (error) {
    // A database that was never migrated has not even the table of migrations.
    if ((error as { errno?: number }).errno !== noSuchTable) throw error;
    return { isEmpty: true, missing: ['all of them'], unknown: [] };
  }
}

/** Of a database that was never migrated. */
export function noTablesYet(exitCode: ExitCode): OperatorError {
  const message = 'The database has no tables of statecron yet.';
  return new OperatorError({
    ...{ code: 'schema_older', message, hint: migrateHint, exitCode },
  });
}

const noSuchTable = 1146;
