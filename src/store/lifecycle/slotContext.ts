import type { Outages } from '../../domain/time/outages.ts';
import type { NotificationCache } from '../notifications/notificationCache.ts';
import type { RevisionCache } from '../slots/revisionCache.ts';
import type { TargetingCache } from '../targeting/targetingCache.ts';

/** Of what node a batch is, and what that node remembers from batch to batch. */
export interface SlotContext {
  readonly sessionId: string;
  readonly nodeName: string;
  readonly nextLaunchId: () => string;
  readonly revisions: RevisionCache;
  readonly targeting: TargetingCache;
  readonly notifications: NotificationCache;
  /** See `leaveFullOut`. */
  readonly fullAt: Map<string, number>;
  readonly outages: Outages;
}
