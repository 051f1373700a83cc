import { recordTokenUse } from '../../store/tokens/recordTokenUse.ts';
import type { ChannelPool } from '../admission/channelPool.ts';

/**
 * Has it written down when tokens let requests in, of each at most once in ten minutes, and beside
 * the requests. What cannot be written is left: the next time is soon enough.
 */
export class TokenUses {
  readonly #pool: ChannelPool;
  /** By the ids of tokens, of which there are few; of the monotonic clock. */
  readonly #notedMs = new Map<string, number>();

  constructor(pool: ChannelPool) {
    this.#pool = pool;
  }

  note(tokenId: string): void {
    const nowMs = performance.now();
    if (nowMs - (this.#notedMs.get(tokenId) ?? Number.NEGATIVE_INFINITY) < notedMsMin) return;
    this.#notedMs.set(tokenId, nowMs);
    const write = this.#pool.use(null, (channel) => recordTokenUse(channel, tokenId));
    // The request went well, and says of the database what there is to say.
    write.catch(() => undefined);
  }
}

const notedMsMin = 600_000;
