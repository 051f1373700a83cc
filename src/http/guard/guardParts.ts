import type { ChannelPool } from '../channelPool.ts';
import type { HttpSettings } from '../httpSettings.ts';
import type { Authenticator } from './authenticator.ts';

/** What stands before every route. */
export interface GuardParts {
  readonly pool: ChannelPool;
  readonly authenticator: Authenticator;
  readonly settings: HttpSettings;
  /** Tells the node's log of what no client can be told. */
  readonly trouble: (what: string, error: unknown) => void;
}
