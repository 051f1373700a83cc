import type { ChangedBy } from '../domain/changedBy.ts';
import { exitCodes, OperatorError } from '../domain/errors.ts';
import { Channel } from '../store/channel.ts';
import type { DatabaseAddress } from '../store/databaseAddress.ts';

/** A request is no hot path, but somebody waits for it. */
const bounds = { timeoutMs: 10_000, lockWaitSeconds: 3 } as const;
const waitersMax = 200;
const waitMsMax = 5_000;

interface Waiter {
  readonly take: (channel: Channel) => void;
  readonly refuse: (error: OperatorError) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The few connections that all requests of a node share, opened by their first use: whatever is
 * asked of the API, the database has so many connections of it and no more, and none of them is one
 * that the node's own work goes by.
 */
export class ChannelPool {
  readonly #address: DatabaseAddress;
  readonly #channels: Channel[] = [];
  readonly #free: Channel[] = [];
  readonly #waiters: Waiter[] = [];
  readonly #channelsMax: number;
  readonly #silenceSeconds: number;
  #closed = false;

  /** @param silenceSeconds after which the server cuts a silent holder of locks */
  constructor(address: DatabaseAddress, channelsMax: number, silenceSeconds: number) {
    this.#address = address;
    this.#channelsMax = channelsMax;
    this.#silenceSeconds = silenceSeconds;
  }

  /**
   * Runs `work` on a channel that is its own meanwhile, in somebody's name.
   * @throws OperatorError `busy` when none is free in time, or too many wait already.
   */
  async use<T>(by: ChangedBy | null, work: (channel: Channel) => Promise<T>): Promise<T> {
    const channel = await this.#take();
    channel.by = by;
    try {
      return await work(channel);
    } finally {
      channel.by = null;
      this.#give(channel);
    }
  }

  /** How many channels there are, are at work, and are waited for. */
  load(): { readonly channels: number; readonly used: number; readonly waiting: number } {
    const channels = this.#channels.length;
    return { channels, used: channels - this.#free.length, waiting: this.#waiters.length };
  }

  /** Ends the pool after what is under way; who waits is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer, refuse } of this.#waiters.splice(0)) {
      clearTimeout(timer);
      refuse(busy());
    }
    await Promise.all(this.#channels.map((channel) => channel.close()));
  }

  #take(): Promise<Channel> {
    if (this.#closed) return Promise.reject(busy());
    const free = this.#free.pop();
    if (free !== undefined) return Promise.resolve(free);
    if (this.#channels.length < this.#channelsMax) return Promise.resolve(this.#open());
    if (this.#waiters.length >= waitersMax) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(busy());
      }, waitMsMax);
      const waiter: Waiter = { take: resolve, refuse: reject, timer };
      this.#waiters.push(waiter);
    });
  }

  #open(): Channel {
    const silenceSeconds = this.#silenceSeconds;
    const channel = new Channel('api', this.#address, { ...bounds, silenceSeconds });
    this.#channels.push(channel);
    return channel;
  }

  #give(channel: Channel): void {
    const next = this.#waiters.shift();
    if (next === undefined) {
      this.#free.push(channel);
      return;
    }
    clearTimeout(next.timer);
    next.take(channel);
  }
}

function busy(): OperatorError {
  return new OperatorError({
    code: 'busy',
    message: 'This node has more requests than it can ask the database about now.',
    hint: 'Ask again in a moment, or another node.',
    exitCode: exitCodes.tryAgain,
  });
}
