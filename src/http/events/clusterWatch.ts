import type { EventReader } from '../../store/events/openEventReader.ts';
import type { RunEvent } from '../../store/events/readRunEvents.ts';
import {
  type HeldSlots,
  sessionEvents,
  sessionSlackMs,
  slotChanges,
  uncordoned,
} from './clusterChanges.ts';
import { RunTrail } from './runTrail.ts';
import { runEnded, type StreamEvent, type StreamPosition, streamEvent } from './streamEvent.ts';

export const pageRows = 200;
const slotsMax = 5_000;
/** The history is looked at each time, what changes less often every other time. */
const looksPerSlotLook = 2;
/** No session was reaped since then: only those that are there. */
const distantFutureMs = Date.UTC(9999, 0);
/**
 * How long a transaction that inserts rows may take, at least: commands that work on the database
 * are cut by it after 15 s of silence, nodes after 0.2 TTL.
 */
const settleMsMin = 30_000;
const settleTtlShare = 0.25;

/**
 * What happens on all nodes, as the database shows it, look by look. It reads by primary keys and
 * by the slots that are held, and locks nothing.
 */
export class ClusterWatch {
  readonly reader: EventReader;
  readonly #send: (events: readonly StreamEvent[]) => void;
  readonly #nowMs: () => number;
  /** What the last look saw; null: there was none, or it did not see all. */
  #slots: HeldSlots | null = null;
  #sessionEvents: ReturnType<typeof sessionEvents> | null = null;
  #sessionsMs = 0;
  #settleMs = settleMsMin;
  #ttlMsMax = 0;
  #trail: RunTrail | null = null;
  #looks = 0;

  /** @param send gets what happened, in order and while `position` is where it leads to */
  constructor(
    reader: EventReader,
    send: (events: readonly StreamEvent[]) => void,
    nowMs: () => number,
  ) {
    this.reader = reader;
    this.#send = send;
    this.#nowMs = nowMs;
  }

  /** The rows of the history that were sent; only after a first look. */
  get trail(): RunTrail {
    if (this.#trail === null) throw new Error('there was no look yet');
    return this.#trail;
  }

  /** Where a client stands that was sent everything so far. */
  get position(): StreamPosition {
    return { sessionsMs: this.#sessionsMs, runId: this.#trail?.settled ?? 0 };
  }

  /** Reads what is new. Clients are sent nothing of the first look. */
  async look(): Promise<void> {
    if (this.#trail === null) {
      this.#sessionsMs = (await this.reader.sessions(distantFutureMs)).nowMs;
      await this.#lookAtSessions();
      // The rows above it are read again, so that the gaps among them are known. A run may have
      // ended a lease before its row was written.
      const settled = await this.reader.settledRun(this.#settleMs + this.#ttlMsMax);
      this.#trail = new RunTrail(settled);
    }
    if (this.#looks % looksPerSlotLook === 0) {
      await this.#lookAtSessions();
      await this.#lookAtSlots();
    }
    await this.#lookAtRuns(this.#trail);
    this.#looks += 1;
  }

  async #lookAtSessions(): Promise<void> {
    const { sessions, nowMs } = await this.reader.sessions(this.#sessionsMs - sessionSlackMs);
    const before = this.#sessionEvents;
    const events = sessionEvents(sessions);
    this.#sessionEvents = events;
    const fresh = [...events].filter(([key]) => before !== null && !before.has(key));
    const lifted = before === null ? [] : uncordoned(before, events);
    // Until all are sent the position stays before them.
    const news = [...fresh.map(([, event]) => event), ...lifted];
    this.#send(news.map((event) => streamEvent(event, this.position)));
    this.#sessionsMs = nowMs;
    this.#ttlMsMax = Math.max(0, ...sessions.map(({ ttlMs }) => ttlMs));
    this.#settleMs = Math.max(settleMsMin, settleTtlShare * this.#ttlMsMax);
  }

  async #lookAtSlots(): Promise<void> {
    const slots = await this.reader.heldSlots(slotsMax);
    const before = this.#slots;
    // So many that they could not all be read: what is missing has not become idle.
    const isWhole = slots.length < slotsMax;
    this.#slots = isWhole ? new Map(slots.map((slot) => [slot.launchId, slot])) : null;
    if (before !== null && this.#slots !== null) this.#send(slotChanges(before, this.#slots));
  }

  async #lookAtRuns(trail: RunTrail): Promise<void> {
    trail.giveUp(this.#nowMs() - this.#settleMs);
    const { gaps } = trail;
    if (gaps.length > 0) this.#sendRuns(await this.reader.runsAmong(gaps), trail);
    for (let rowsRead = pageRows; rowsRead === pageRows; ) {
      const rows = await this.reader.runsAfter(trail.high, Number.MAX_SAFE_INTEGER, pageRows);
      this.#sendRuns(rows, trail);
      rowsRead = rows.length;
    }
  }

  #sendRuns(rows: readonly RunEvent[], trail: RunTrail): void {
    const nowMs = this.#nowMs();
    // Each with the position that it leads to, and not one further.
    this.#send(
      rows.flatMap((row) => (trail.add(row.runId, nowMs) ? [runEnded(row, this.position)] : [])),
    );
  }
}
