import { recordTokenUse } from '../../store/tokens/recordTokenUse.ts';
import type { ChannelPool } from '../admission/channelPool.ts';

/**
 * Records when tokens were last used: each at most once in ten minutes, and without making the
 * request wait. A record that cannot be written is dropped; the next use writes another.
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
    // Only the record is lost: the request has its own answer.
    write.catch(() => undefined);
  }
}

const notedMsMin = 600_000;
