import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OperatorError } from '../../domain/errors.ts';
import { findHolder, findLoggedIn, type TokenHolder } from '../../store/tokens/findHolder.ts';
import type { ChannelPool } from '../channelPool.ts';
import { SharedQuestions } from '../sharedQuestions.ts';
import { FailureLimiter } from './failureLimiter.ts';
import { TooManyFailures } from './refusals.ts';

/** What a request says of who it comes from. */
export interface Credentials {
  readonly kind: 'bearer' | 'cookie';
  readonly text: string;
}

/** Credentials that let a request in, for answers that go on. */
export interface Admission {
  /** The same for the same credentials, and nothing to be let in by. */
  readonly digest: string;
  /** Whether they would let it in now, too. Rejects when the database cannot be asked. */
  isInForce(): Promise<boolean>;
}

/** Tells whose credentials are, as of now: nothing is remembered that a revocation would undo. */
export class Authenticator {
  readonly #pool: ChannelPool;
  readonly #limiter: FailureLimiter;
  readonly #questions = new SharedQuestions<TokenHolder | null>();

  constructor(pool: ChannelPool, limiter = new FailureLimiter()) {
    this.#pool = pool;
    this.#limiter = limiter;
  }

  /**
   * @throws OperatorError `unauthenticated`; `too_many_failures` when that came too often from the
   * address, or for the token.
   */
  async check(credentials: Credentials, address: string): Promise<TokenHolder> {
    // The limiter keeps no secrets.
    const digest = digestOf(credentials);
    const tokenId = /^statecron_([0-9a-f]{12})_/.exec(credentials.text)?.[1];
    const keys = [networkOf(address), ...(tokenId === undefined ? [] : [`token ${tokenId}`])];
    const waitMs = this.#limiter.waitMs(keys, digest);
    if (waitMs > 0) throw new TooManyFailures(waitMs);
    const holder = await this.#find(credentials, digest);
    if (holder === null) {
      this.#limiter.failed(keys, digest);
      throw unauthenticated('The token, or the login, is none, or is not in force any more.');
    }
    this.#limiter.succeeded(digest);
    return holder;
  }

  /** What is held of credentials that were good. */
  admit(credentials: Credentials): Admission {
    const digest = digestOf(credentials);
    return { digest, isInForce: async () => (await this.#find(credentials, digest)) !== null };
  }

  /** Requests with the same credentials that come at the same time are let in by one question. */
  #find({ kind, text }: Credentials, digest: string): Promise<TokenHolder | null> {
    const find = kind === 'bearer' ? findHolder : findLoggedIn;
    return this.#questions.ask(
      digest,
      async (work) => {
        await nextTurn(); // what came at the same time has been read then
        return this.#pool.use(null, work);
      },
      (channel) => find(channel, text),
    );
  }
}

function digestOf({ kind, text }: Credentials): string {
  return createHash('sha256').update(`${kind} ${text}`).digest('base64');
}

/** All refusals of a token are in the same words: what is known of it is not for who tries. */
export function unauthenticated(message: string): OperatorError {
  return new OperatorError({
    code: 'unauthenticated',
    message,
    hint:
      'Give one: --token-file or STATECRON_TOKEN_FILE, else Authorization: Bearer statecron_…; ' +
      'make one: statecron token add NAME',
  });
}

/** Who has one address of IPv6 has 2^64 of them. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const after = tail.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0');
  return [...groups, ...zeros, ...after].slice(0, 4).join(':');
}
