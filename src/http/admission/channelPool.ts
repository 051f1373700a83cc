import type { ChangedBy } from '../../domain/access/changedBy.ts';
import { Channel } from '../../store/connection/channel.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import { FairQueue } from './fairQueue.ts';

/** A request is no hot path, but somebody waits for it. */
const bounds = { timeoutMs: 10_000, lockWaitSeconds: 3 } as const;
const queueBounds = {
  waitingOfOne: 100,
  waitMsMax: 5_000,
  what: 'requests that use the database',
} as const;

/**
 * The few connections that all requests of a node share, opened by their first use: whatever is
 * requested, the database has so many connections of it and no more, and none of them is one
 * that the node's own work goes by. No token has all of them at once.
 */
export class ChannelPool {
  readonly #address: DatabaseAddress;
  readonly #channels: Channel[] = [];
  readonly #free: Channel[] = [];
  readonly #queue: FairQueue;
  readonly #silenceSeconds: number;

  /** @param silenceSeconds after which the server cuts a silent holder of locks */
  constructor(address: DatabaseAddress, channelsMax: number, silenceSeconds: number) {
    this.#address = address;
    const atOnceOfOne = Math.max(1, channelsMax - 1);
    this.#queue = new FairQueue({ ...queueBounds, atOnce: channelsMax, atOnceOfOne });
    this.#silenceSeconds = silenceSeconds;
  }

  /**
   * Runs `work` on a channel that is its own meanwhile, in somebody's name.
   * @param share whose share of the channels it is: the id of a token; '' of the API itself
   * @throws RetryLater when none is free in time, or too many of the share wait already.
   */
  use<T>(by: ChangedBy | null, work: (channel: Channel) => Promise<T>, share = ''): Promise<T> {
    return this.#queue.run(share, async () => {
      const channel = this.#free.pop() ?? this.#open();
      channel.by = by;
      try {
        return await work(channel);
      } finally {
        channel.by = null;
        this.#free.push(channel);
      }
    });
  }

  /** Ends the pool after what is under way; who waits is refused. */
  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all(this.#channels.map((channel) => channel.close()));
  }

  #open(): Channel {
    const silenceSeconds = this.#silenceSeconds;
    const channel = new Channel('api', this.#address, { ...bounds, silenceSeconds });
    this.#channels.push(channel);
    return channel;
  }
}
