import { Channel, type ChannelConnection } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { transact } from '../../../src/store/transaction/transact.ts';
import type { Scope } from '../../support/createDatabase.ts';
import type { EngineMember } from './faultEngine.ts';

const bounds = { timeoutMs: 10_000, lockWaitSeconds: 2, silenceSeconds: 30 };

/** A channel to one member alone. */
export function openChannel(scope: Scope, member: EngineMember, database: string): Channel {
  const channel = new Channel(member.name, readDatabaseUrl(member.userUrl(database)), bounds);
  scope.after(() => channel.close());
  return channel;
}

/**
 * Two transactions through two members, each with the lock and before its COMMIT at one time. The
 * second then waits for the first's COMMIT. Resolves to how often the second had to begin: twice
 * when the lock excludes, since its first try is rolled back.
 */
export async function overlapOnMembers(
  first: Channel,
  second: Channel,
  takeLock: (connection: ChannelConnection) => Promise<unknown>,
  write: (connection: ChannelConnection, who: 'first' | 'second') => Promise<unknown>,
): Promise<{ outcomes: string[]; secondTries: number }> {
  let bothHaveIt = (): void => undefined;
  const both = new Promise<void>((resolve) => {
    bothHaveIt = resolve;
  });
  let secondTries = 0;
  const one = transact(first, 'first', async (connection) => {
    await takeLock(connection);
    await write(connection, 'first');
    await both;
    return { commit: null };
  });
  const two = transact(second, 'second', async (connection) => {
    secondTries += 1;
    await takeLock(connection);
    bothHaveIt();
    if (secondTries === 1) await one;
    await write(connection, 'second');
    return { commit: null };
  });
  const outcomes = (await Promise.all([one, two])).map(({ outcome }) => outcome);
  return { outcomes, secondTries };
}
