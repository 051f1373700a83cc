import type { ChannelPool } from '../channelPool.ts';
import type { HttpSettings } from '../httpSettings.ts';
import type { Turns } from '../turns.ts';
import type { Calculator } from '../work/calculator.ts';
import type { Authenticator } from './authenticator.ts';
import type { HeldPlaces } from './heldPlaces.ts';
import type { RateLimit } from './rateLimit.ts';

/** What stands before every route. */
export interface GuardParts {
  readonly pool: ChannelPool;
  readonly authenticator: Authenticator;
  readonly settings: HttpSettings;
  /** Of answers that go on, by the ids of tokens. */
  readonly streams: HeldPlaces;
  /** Requests with a body that are read and worked on. */
  readonly bodies: Turns;
  /** The same of requests without a token, by their addresses. */
  readonly openBodies: Turns;
  readonly calculator: Calculator;
  /** By the ids of tokens. */
  readonly changes: RateLimit;
  readonly logins: RateLimit;
  /** Writes to the node's log what no client may see. */
  readonly trouble: (what: string, error: unknown) => void;
}
