import { createHash } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { findHolders, findLoggedIn, type TokenHolder } from '../../store/tokens/findHolder.ts';
import type { ChannelPool } from '../admission/channelPool.ts';
import { RateLimit } from '../admission/rateLimit.ts';
import { SingleFlight } from '../admission/singleFlight.ts';
import { tooManyFailures } from '../problems/refusals.ts';
import { networkOf } from '../server/networkOf.ts';
import { TokenUses } from './tokenUses.ts';

/** What a request says of who it comes from. */
export interface Credentials {
  readonly kind: 'bearer' | 'cookie';
  readonly text: string;
}

/** Credentials that let a request in, for answers that go on. */
export interface Admission {
  /** The same for the same credentials, and nothing to be let in by. */
  readonly digest: string;
  /** Whose they are: browsers that are logged in by one token have its id. */
  readonly tokenId: string;
  /** Whether they would let it in now, too. Rejects when the database does not answer. */
  isInForce(): Promise<boolean>;
}

/** Failures of an address that are answered as such; those behind them have to wait. */
const failureRate = { atOnce: 10, refillMs: 6_000 };

/** Finds whose credentials are, as of now: nothing is cached that a revocation would undo. */
export class Authenticator {
  readonly #failures: RateLimit;
  readonly #uses: Pick<TokenUses, 'note'>;
  readonly #lookups: Record<Credentials['kind'], Lookups>;

  constructor(
    pool: ChannelPool,
    failures = new RateLimit(failureRate),
    uses: Pick<TokenUses, 'note'> = new TokenUses(pool),
  ) {
    this.#failures = failures;
    this.#uses = uses;
    this.#lookups = {
      bearer: new Lookups(pool, findHolders),
      cookie: new Lookups(pool, findLoggedIn),
    };
  }

  /**
   * Good credentials are let in however many bad ones come from the same address, by a proxy or
   * not: they are looked up first. 256 random bits are not guessed; what a flood of bad ones may
   * cost is bounded by looking them up together.
   * @throws OperatorError `unauthenticated`; `too_many_failures` when that came too often from the
   * address.
   */
  async check(credentials: Credentials, address: string): Promise<TokenHolder> {
    const holder = await this.#lookups[credentials.kind].find(credentials.text);
    if (holder !== null) {
      this.#uses.note(holder.tokenId);
      return holder;
    }
    const waitMs = this.#failures.take(networkOf(address));
    if (waitMs > 0) throw tooManyFailures(waitMs);
    throw unauthenticated('The token or login is unknown or no longer valid.');
  }

  /** What is held of credentials that were good. */
  admit({ kind, text }: Credentials, { tokenId }: TokenHolder): Admission {
    const digest = createHash('sha256').update(`${kind} ${text}`).digest('base64');
    const isInForce = async () => (await this.#lookups[kind].find(text)) !== null;
    return { digest, tokenId, isInForce };
  }
}

/** A connection that does not answer holds up nobody for longer. */
const togetherMs = 250;

type FindHolders = typeof findHolders;

/**
 * All that come at the same time, good or bad, are looked up by one statement, and those that come
 * before its result by the next one: the more come, the more are looked up together.
 */
class Lookups {
  readonly #pool: ChannelPool;
  readonly #find: FindHolders;
  readonly #flight = new SingleFlight<ReadonlyMap<string, TokenHolder>>();
  /** What the lookup that has not begun is about. */
  #texts = new Set<string>();
  /** The lookup that is under way. */
  #running: Promise<unknown> = Promise.resolve();

  constructor(pool: ChannelPool, find: FindHolders) {
    this.#pool = pool;
    this.#find = find;
  }

  async find(text: string): Promise<TokenHolder | null> {
    this.#texts.add(text);
    const holders = await this.#flight.run(
      '',
      async (work) => {
        await nextTurn(); // what came at the same time has been read then
        await Promise.race([this.#running, sleep(togetherMs, undefined, { ref: false })]);
        const wanted = this.#texts;
        return this.#pool.use(null, work).catch((error: unknown) => {
          // All of them are refused; without a turn nobody has taken what they wanted.
          if (this.#texts === wanted) this.#texts = new Set();
          throw error;
        });
      },
      (channel) => {
        const texts = [...this.#texts];
        this.#texts = new Set();
        const found = this.#find(channel, texts);
        this.#running = found.catch(() => undefined);
        return found;
      },
    );
    return holders.get(text) ?? null;
  }
}

/** All refusals of a token have the same text: what is known of it is not for who tries. */
export function unauthenticated(message: string): OperatorError {
  return new OperatorError({
    code: 'unauthenticated',
    message,
    hint:
      'Give one: --token-file or STATECRON_TOKEN_FILE (other clients: the header ' +
      'Authorization: Bearer statecron_…); make one: statecron token add NAME',
    exitCode: exitCodes.configuration,
  });
}
