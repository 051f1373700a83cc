import { committed, type Outcome, refused, unknown } from '../../../src/domain/errors/outcome.ts';
import { DatabaseError } from './databaseError.ts';
import type { MemoryChannel } from './memoryChannel.ts';

/** What the work inside a transaction decides; both are committed, a refusal too. */
export type Decision<T> = { readonly commit: T } | { readonly refuse: string };

const triesMax = 5;
const pauseMs = 20;

/**
 * Runs `work` in one transaction of the memory server and returns its outcome, as `transact` does
 * with a real one: rolled-back conflicts run again, a COMMIT is sent once, an error that breaks the
 * connection is `unknown`, and what `work` throws of its own is thrown on.
 */
export function memoryTransact<T>(
  channel: MemoryChannel,
  work: () => Promise<Decision<T>>,
): Promise<Outcome<T>> {
  return channel.use(async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        channel.begin();
        const decision = await work();
        await channel.commit();
        return 'commit' in decision ? committed(decision.commit) : refused(decision.refuse);
      } catch (error) {
        await rollBack(channel);
        if (!(error instanceof DatabaseError)) throw error;
        if (!error.mayRetry || tries === triesMax) return unknown(error);
        await new Promise<void>((resolve) => channel.parts.loop.after(pauseMs * tries, resolve));
      }
    }
  });
}

/** A rollback that fails leaves nothing to believe in: the connection goes. */
async function rollBack(channel: MemoryChannel): Promise<void> {
  try {
    await channel.rollBack();
  } catch {
    channel.destroy(); // the server rolls back what a closed connection left open
  }
}
