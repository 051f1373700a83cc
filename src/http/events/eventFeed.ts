import { setTimeout as sleep } from 'node:timers/promises';
import type { EventReader } from '../../store/events/openEventReader.ts';
import type { RunEvent } from '../../store/events/readRunEvents.ts';
import type { EventKind } from './eventSchemas.ts';
import { makeMoment } from './moment.ts';
import { RecentEvents } from './recentEvents.ts';
import { gapsAmong, RunTrail } from './runTrail.ts';
import { SessionWatch, sessionSlackMs } from './sessionWatch.ts';
import { SlotWatch } from './slotWatch.ts';
import { runEnded, type StreamEvent, streamEvent } from './streamEvent.ts';
import { writePosition } from './streamPosition.ts';
import { type Listener, tellListeners } from './tellListeners.ts';

export interface FeedParts {
  /** Opens a reader when somebody listens; it is closed when nobody does any more. */
  readonly openReader: () => EventReader;
  /** Events of the serving node's actors, while somebody wants them; null: there are none. */
  readonly watchActors: ((see: (events: readonly StreamEvent[]) => void) => () => void) | null;
  readonly trouble: (what: string, error: unknown) => void;
  readonly nowMs?: () => number;
}

const periodMs = 500;
const quietPeriodMs = 1_000;
const allGapsPeriodMs = 5_000;
const retryMs = 2_000;
/** A look that takes long is followed by a longer rest, up to two seconds: it is not the load. */
const restShare = 4;
export const pageRows = 200;
const pagesMax = 25;
const newestRowsMax = 1_000;
const slotsMax = 5_000;
/** No session was reaped since then: only those that are there. */
const distantFutureMs = Date.UTC(9999, 0);

/**
 * What happens on all nodes, as the database tells it: one reader for all clients of a node, and
 * only while there are any. It reads by primary keys and by the slots that are held, locks nothing,
 * and adds no statement to what the nodes do.
 */
export class EventFeed {
  readonly #parts: FeedParts;
  readonly #nowMs: () => number;
  readonly #listeners = new Set<Listener>();
  /** How many clients it goes on for. */
  #holders = 0;
  #slotHolders = 0;
  #isRunning = false;
  #rest = new AbortController();
  /** Null until the first look; then the numbers that every listener was told of. */
  #trail: RunTrail | null = null;
  #sessionsMs = 0;
  /** The database did not answer the last look. */
  isStalled = false;
  #begun = makeMoment();
  #slotsSeen = makeMoment();
  #recent = new RecentEvents();
  readonly #slots = new SlotWatch();
  #sessions = new SessionWatch();
  #nextQuietLookMs = 0;
  #nextAllGapsMs = 0;
  #stopActors: (() => void) | null = null;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#nowMs = parts.nowMs ?? (() => performance.now());
  }

  /** Where a client stands that was told everything so far; null before the first look. */
  get position(): string | null {
    return this.#trail === null ? null : writePosition(this.#sessionsMs, this.#trail);
  }

  /**
   * Goes on for one holder more, until that one lets go. Resolves when it has looked once at what
   * the holder wants: what happens from then on is told.
   */
  async hold(kinds: ReadonlySet<EventKind>): Promise<void> {
    this.#holders += 1;
    if (needSlots(kinds)) this.#slotHolders += 1;
    if (!this.#isRunning) void this.#look();
    await this.#begun.promise;
    if (needSlots(kinds)) await this.#slotsSeen.promise;
  }

  /** Called once by each holder: without one nothing is read any more. */
  letGo(kinds: ReadonlySet<EventKind>): void {
    if (needSlots(kinds)) this.#slotHolders -= 1;
    this.#holders -= 1;
    if (this.#holders === 0) this.#rest.abort();
  }

  /** What was told so far, for a client that reads the history by itself up to here. */
  mark(): { readonly seq: number; readonly trail: RunTrail } {
    if (this.#trail === null) throw new Error('the feed has not begun');
    return { seq: this.#recent.count, trail: this.#trail.copy(this.#nowMs()) };
  }

  /** What was told since a mark; null: more than is remembered. */
  since(seq: number): readonly StreamEvent[] | null {
    return this.#recent.since(seq);
  }

  /** Tells a listener everything from now on, until it is removed. */
  add(listener: Listener): void {
    this.#listeners.add(listener);
    const { watchActors } = this.#parts;
    if (this.#stopActors === null && watchActors !== null && this.#wants('actor')) {
      this.#stopActors = watchActors((events) => this.#tell(events, false));
    }
  }

  remove(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#wants('actor')) return;
    this.#stopActors?.();
    this.#stopActors = null;
  }

  #wants(kind: EventKind): boolean {
    for (const { kinds } of this.#listeners) if (kinds.has(kind)) return true;
    return false;
  }

  async #look(): Promise<void> {
    this.#isRunning = true;
    const reader = this.#parts.openReader();
    for (;;) {
      const beganMs = this.#nowMs();
      let restMs = retryMs;
      try {
        await this.#lookOnce(reader);
        restMs = Math.min(retryMs, Math.max(periodMs, restShare * (this.#nowMs() - beganMs)));
        if (this.isStalled) this.#noteStalled(false);
      } catch (error) {
        this.#parts.trouble('the events could not be read', error);
        if (!this.isStalled) this.#noteStalled(true);
      }
      // Whoever comes until the line that asks goes on with what everybody was told.
      if (this.#holders > 0) await this.#pause(restMs);
      if (this.#holders === 0) break;
    }
    this.#forget();
    reader.close().catch((error: unknown) => this.#parts.trouble('a reader did not close', error));
  }

  async #pause(restMs: number): Promise<void> {
    this.#rest = new AbortController();
    const { signal } = this.#rest;
    const rest = sleep(restMs, undefined, { signal, ref: false });
    await rest.catch(() => undefined); // somebody came: the rest is over sooner
  }

  #noteStalled(isStalled: boolean): void {
    this.isStalled = isStalled;
    this.#tell([streamEvent({ type: isStalled ? 'stream.stalled' : 'stream.live' })], false);
  }

  #forget(): void {
    this.#isRunning = false;
    this.isStalled = false;
    this.#trail = null;
    this.#sessionsMs = 0;
    this.#recent = new RecentEvents();
    this.#sessions = new SessionWatch();
    this.#forgetSlots();
    this.#begun = makeMoment();
  }

  async #lookOnce(reader: EventReader): Promise<void> {
    const nowMs = this.#nowMs();
    if (this.#trail === null) {
      const newest = await reader.newestRuns(newestRowsMax);
      const trail = new RunTrail(newest[0]?.runId ?? 0, gapsAmong(newest), nowMs);
      this.#sessionsMs = (await reader.sessions(distantFutureMs)).nowMs;
      await this.#lookAtSessions(reader);
      this.#trail = trail;
      this.#begun.resolve();
    } else if (nowMs >= this.#nextQuietLookMs) {
      await this.#lookAtSessions(reader);
    }
    if (nowMs >= this.#nextQuietLookMs) {
      await this.#lookAtSlots(reader);
      this.#nextQuietLookMs = nowMs + Math.max(quietPeriodMs, restShare * (this.#nowMs() - nowMs));
    }
    await this.#lookAtRuns(reader, this.#trail);
  }

  async #lookAtSessions(reader: EventReader): Promise<void> {
    const { sessions, nowMs } = await reader.sessions(this.#sessionsMs - sessionSlackMs);
    // Until all are told the position stays before them.
    this.#tell(this.#sessions.look(sessions, this.position ?? ''));
    this.#sessionsMs = nowMs;
  }

  async #lookAtSlots(reader: EventReader): Promise<void> {
    if (this.#slotHolders === 0) return this.#forgetSlots();
    const slots = await reader.heldSlots(slotsMax);
    // So many that they could not all be read: what is missing has not become idle.
    if (slots.length < slotsMax) this.#tell(this.#slots.look(slots));
    else this.#slots.forget();
    this.#slotsSeen.resolve();
  }

  #forgetSlots(): void {
    this.#slots.forget();
    // Whoever still waits for it is gone.
    this.#slotsSeen.resolve();
    this.#slotsSeen = makeMoment();
  }

  async #lookAtRuns(reader: EventReader, trail: RunTrail): Promise<void> {
    const nowMs = this.#nowMs();
    const isLookAtAll = nowMs >= this.#nextAllGapsMs;
    if (isLookAtAll) this.#nextAllGapsMs = nowMs + allGapsPeriodMs;
    const gaps = trail.gapsToAsk(nowMs, isLookAtAll);
    if (gaps.length > 0) this.#tellRuns(await reader.runsAmong(gaps), trail);
    for (let page = 0; page < pagesMax; page += 1) {
      const rows = await reader.runsAfter(trail.high, Number.MAX_SAFE_INTEGER, pageRows);
      this.#tellRuns(rows, trail);
      if (rows.length < pageRows) return;
    }
  }

  #tellRuns(rows: readonly RunEvent[], trail: RunTrail): void {
    const nowMs = this.#nowMs();
    const events: StreamEvent[] = [];
    for (const row of rows) {
      if (!trail.take(row.runId, nowMs)) continue;
      events.push(runEnded(row, writePosition(this.#sessionsMs, trail)));
    }
    this.#tell(events);
  }

  /** @param isKept whether one that joins meanwhile has to be told, too */
  #tell(events: readonly StreamEvent[], isKept = true): void {
    if (events.length === 0) return;
    if (isKept) this.#recent.add(events);
    tellListeners(this.#listeners, events);
  }
}

/** The starts of runs are seen at the slots. */
function needSlots(kinds: ReadonlySet<EventKind>): boolean {
  return kinds.has('slot') || kinds.has('run');
}
