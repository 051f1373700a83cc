import type { ChannelPool } from '../admission/channelPool.ts';
import type { FairQueue } from '../admission/fairQueue.ts';
import type { HeldPlaces } from '../admission/heldPlaces.ts';
import type { RateLimit } from '../admission/rateLimit.ts';
import type { Authenticator } from '../authentication/authenticator.ts';
import type { HttpSettings } from '../server/httpSettings.ts';
import type { Calculator } from '../work/calculator.ts';

/** What stands before every route. */
export interface GuardParts {
  readonly pool: ChannelPool;
  readonly authenticator: Authenticator;
  readonly settings: HttpSettings;
  /** Of answers that go on, by the ids of tokens. */
  readonly streams: HeldPlaces;
  /** Requests with a body that are read and worked on. */
  readonly bodies: FairQueue;
  /** The same of requests without a token, by their addresses. */
  readonly openBodies: FairQueue;
  readonly calculator: Calculator;
  /** By the ids of tokens. */
  readonly changes: RateLimit;
  readonly logins: RateLimit;
  /** Writes to the node's log what no client may see. */
  readonly trouble: (what: string, error: unknown) => void;
}
