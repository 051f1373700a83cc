import type { Taken } from '../../domain/commit/cleaningPace.ts';
import {
  type CleaningStep,
  type HistoryKeep,
  historyDefaults,
  keptSinceMs,
  nothingToClean,
} from '../../domain/commit/historyKeep.ts';
import type { Channel } from '../connection/channel.ts';
import { flag, instantMs, integer, nullable, rowOf, text } from '../rows/row.ts';
import { cleanJobs } from './cleanJobs.ts';
import { cleanLeftovers } from './cleanLeftovers.ts';
import { cleanNotifications } from './cleanNotifications.ts';
import { cleanOutputs } from './cleanOutputs.ts';
import { cleanSessions } from './cleanSessions.ts';
import { Pacer } from './pacer.ts';

/**
 * Cleans the history in passes, first of outputs, then over all jobs, in steps that are bounded in
 * time, of transactions of some hundred rows each, as many as the database takes quickly. They take
 * no stripe: what they lock is rows that nobody else writes any more, and at the very end a job's.
 * One session cleans at a time; how far it has come with the jobs is in the database, so that
 * another goes on from there.
 */
export class HistoryCleaner {
  readonly #channel: Channel;
  readonly #sessionId: string;
  readonly #pacer: Pacer;
  /**
   * When this session began with a pass, null: it has none. Outputs go that were too old then, so
   * that the jobs get their turn however many come after.
   */
  #beganMs: number | null = null;
  #areOutputsDone = false;
  /** Sessions that were reaped until then have been looked at in this pass. */
  #sessionsUntilMs: number | null = null;

  /** @param nowMs a clock that only goes forward */
  constructor(channel: Channel, sessionId: string, nowMs = () => performance.now()) {
    this.#channel = channel;
    this.#sessionId = sessionId;
    this.#pacer = new Pacer(nowMs);
  }

  /** One step, when it is this session's turn. Rejects with the driver's error. */
  async step(keep: HistoryKeep = historyDefaults): Promise<CleaningStep> {
    const pacer = this.#pacer;
    pacer.beginStep();
    const periodUs = keep.periodMs * 1000;
    const turn = await this.#takeTurn(periodUs);
    if (turn === null) {
      this.#forgetPass();
      return nothingToClean;
    }
    const beganMs = this.#beganMs ?? turn.nowMs;
    this.#beganMs = beganMs;
    const { isMore, rows } =
      turn.afterJobId === null
        ? await this.#cleanRest(keep, periodUs)
        : await this.#cleanHistory(keep, turn.afterJobId, beganMs);
    const isBehind = turn.nowMs - beganMs > keep.periodMs;
    return { isMore, rows, tookMs: pacer.tookMs, isBehind };
  }

  async #cleanHistory(keep: HistoryKeep, begunAfter: number, beganMs: number): Promise<Taken> {
    const [channel, pacer] = [this.#channel, this.#pacer];
    let rows = 0;
    if (!this.#areOutputsDone) {
      const before = new Date(keptSinceMs(keep.outputDays, beganMs));
      const outputs = await cleanOutputs(channel, before, pacer);
      this.#areOutputsDone = !outputs.isMore;
      if (outputs.isMore) return outputs;
      rows = outputs.rows;
    }
    const jobs = await cleanJobs(channel, begunAfter, keep, pacer);
    await channel.change(moveTurn, [jobs.afterJobId, this.#sessionId]);
    return { isMore: true, rows: rows + jobs.rows };
  }

  async #cleanRest(keep: HistoryKeep, periodUs: number): Promise<Taken> {
    const channel = this.#channel;
    const leftovers = await cleanLeftovers(channel);
    const notifications = await cleanNotifications(channel);
    const sessions = await cleanSessions(channel, keep, this.#sessionsUntilMs);
    this.#sessionsUntilMs = sessions.untilMs;
    const isMore = leftovers.isMore || notifications.isMore || sessions.untilMs !== null;
    if (!isMore) {
      // The next pass is due after the period, and any session's.
      await channel.change(finishTurn, [periodUs, this.#sessionId]);
      this.#forgetPass();
    }
    return { isMore, rows: leftovers.rows + notifications.rows + sessions.rows };
  }

  #forgetPass(): void {
    this.#beganMs = null;
    this.#areOutputsDone = false;
  }

  /**
   * Takes, or keeps, the turn to clean: a compare-and-set on one row, by the database's clock
   * alone. Two that were to clean at once would do no harm but the work twice. Null: a pass is not
   * due, or it is another session's. `until_at` is when the last pass ended, unless one is under
   * way: a node with a shorter period than the one that ended it does not wait for the longer one.
   */
  async #takeTurn(periodUs: number): Promise<ReturnType<typeof cleaningTurn> | null> {
    const sessionId = this.#sessionId;
    const [turn] = await this.#channel.rows(cleaningTurn, selectTurn, [periodUs]);
    if (turn?.isDue !== true || (turn.isHeld && turn.sessionId !== sessionId)) return null;
    const parameters = [sessionId, turnSeconds, sessionId, turn.sessionId];
    return (await this.#channel.change(takeTurn, parameters)) === 1 ? turn : null;
  }
}

/** A session that has done nothing for so long has left its pass to others. */
const turnSeconds = 60;

const cleaningTurn = rowOf({
  sessionId: text,
  /** The pass goes on behind this job; null: all jobs are done, what is left is the rest. */
  afterJobId: nullable(integer),
  isHeld: flag,
  isDue: flag,
  nowMs: instantMs,
});
const selectTurn = `/* takeCleaning read */ SELECT session_id, job_id AS after_job_id,
    until_at > NOW(3) AS is_held,
    due_at <= NOW(3) OR until_at + INTERVAL ? MICROSECOND <= NOW(3) AS is_due, NOW(3) AS now
  FROM cleaning WHERE cleaning_id = 1`;
const takeTurn = `/* takeCleaning */ UPDATE cleaning
  SET session_id = ?, until_at = NOW(3) + INTERVAL ? SECOND
  WHERE cleaning_id = 1 AND (session_id = ? OR (session_id = ? AND until_at <= NOW(3)))`;
const moveTurn = `/* moveCleaning */ UPDATE cleaning SET job_id = ?
  WHERE cleaning_id = 1 AND session_id = ?`;
const finishTurn = `/* finishCleaning */ UPDATE cleaning
  SET job_id = 0, until_at = NOW(3), due_at = NOW(3) + INTERVAL ? MICROSECOND
  WHERE cleaning_id = 1 AND session_id = ?`;
