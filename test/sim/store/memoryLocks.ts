import { OperatorError } from '../../../src/domain/errors/errors.ts';
import type { Mutation } from '../scenario.ts';
import type { LockKey } from './lockTable.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import type { MemoryServer, ServerSession } from './memoryServer.ts';

/** Takes those of the stripes that are free, without waiting, and resolves to them. */
export async function takeFreeLocks(
  channel: MemoryChannel,
  stripes: readonly number[],
  mutation: Mutation | null = null,
): Promise<Set<number>> {
  const { server } = channel.parts;
  const got = await channel.step('takeFreeStripes', (_, session) => {
    requireLocks(server, stripes);
    const free = server.locks.takeFree(session, stripes) as number[];
    session.counts.add('stripes', stripes.length);
    session.counts.add('stripesTaken', free.length);
    return mutation === 'locks do not exclude' ? stripes : free;
  });
  return new Set(got);
}

/** Takes the given locks in their order, waiting for each. */
export async function takeLocks(channel: MemoryChannel, stripes: readonly number[]): Promise<void> {
  const { server } = channel.parts;
  for (const stripe of [...stripes].sort((a, b) => a - b)) {
    await channel.step('takeStripe', (_, session) => {
      requireLocks(server, [stripe]);
      return takeRow(channel, session, stripe);
    });
  }
}

/** What every UPDATE of a row does to a row that others may be writing, too. */
export function takeRow(
  channel: MemoryChannel,
  session: ServerSession,
  key: LockKey,
): Promise<void> | undefined {
  const { server, bounds } = channel.parts;
  return server.locks.take(session, key, bounds.lockWaitMs);
}

function requireLocks(server: MemoryServer, stripes: readonly number[]): void {
  if (server.missingLocks.size === 0) return;
  if (!stripes.some((stripe) => server.missingLocks.has(stripe))) return;
  throw new OperatorError({
    code: 'lock_row_missing',
    message: 'A lock row is missing from the table lock_row.',
    hint: 'Stop all nodes and run: statecron doctor --fix',
  });
}
