import {
  type CleaningStep,
  type HistoryKeep,
  historyDefaults,
  nothingToClean,
} from '../../domain/commit/historyKeep.ts';
import type { Channel } from '../connection/channel.ts';
import { cleanJobs } from './cleanJobs.ts';
import { cleanLeftovers } from './cleanLeftovers.ts';
import { cleanNotifications } from './cleanNotifications.ts';
import { cleanSessions } from './cleanSessions.ts';
import { finishCleaning, moveCleaning, takeCleaning } from './takeCleaning.ts';

/**
 * Cleans the history in passes over all jobs, in steps of a few hundred rows each, in transactions
 * of their own that take no stripe: what they lock is rows that nobody else writes any more, and at
 * the very end the job's. One session cleans at a time; how far it has come is in the database, so
 * that another goes on from there.
 */
export class HistoryCleaner {
  readonly #channel: Channel;
  readonly #sessionId: string;
  /** Sessions that were reaped until then have been looked at in this pass. */
  #sessionsUntilMs: number | null = null;

  constructor(channel: Channel, sessionId: string) {
    this.#channel = channel;
    this.#sessionId = sessionId;
  }

  /** One step, when it is this session's turn. Rejects with the driver's error. */
  async step(keep: HistoryKeep = historyDefaults): Promise<CleaningStep> {
    const channel = this.#channel;
    const turn = await takeCleaning(channel, this.#sessionId, keep.periodMs);
    if (turn === null) return nothingToClean;
    if (turn.afterJobId !== null) {
      const { afterJobId, rows } = await cleanJobs(channel, turn.afterJobId, keep);
      await moveCleaning(channel, this.#sessionId, afterJobId);
      return { isMore: true, rows };
    }
    const leftovers = await cleanLeftovers(channel, keep);
    const notifications = await cleanNotifications(channel);
    const sessions = await cleanSessions(channel, keep, this.#sessionsUntilMs);
    this.#sessionsUntilMs = sessions.untilMs;
    const isMore = leftovers.isMore || notifications.isMore || sessions.untilMs !== null;
    if (!isMore) await finishCleaning(channel, this.#sessionId, keep.periodMs);
    return { isMore, rows: leftovers.rows + notifications.rows + sessions.rows };
  }
}
