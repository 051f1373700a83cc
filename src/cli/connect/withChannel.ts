import { Channel } from '../../store/connection/channel.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';

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
