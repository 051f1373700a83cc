import type { ActorRef, Snapshot } from 'xstate';
import type { SlotEvent } from '../../../statecharts/slot.ts';
import type { Launch } from '../../domain/run/launch.ts';
import { type HeldWork, hasPermit, RunTimes } from '../../domain/targeting/placesLeft.ts';

type SlotActor = ActorRef<Snapshot<unknown>, SlotEvent>;

/**
 * The launches that live in this process, by launch id, and the permits to run a child. A launch
 * enters after its claim was acknowledged, and only then (P15).
 */
export class Roster {
  readonly #members = new Map<string, { launch: Launch; actor: SlotActor }>();
  /** Since when, by the node's monotonic clock; of those that queue, too. */
  readonly #running = new Map<string, number>();
  readonly #queueing = new Map<string, number>();
  readonly #ran = new Set<string>();
  readonly #concurrency: number;
  /** Batches whose outcome nobody told: the database may hold what is not here. */
  unknowns = 0;
  readonly #monotonicNowMs: () => number;
  readonly #runTimes: RunTimes;

  constructor(concurrency: number, monotonicNowMs: () => number) {
    this.#concurrency = concurrency;
    this.#monotonicNowMs = monotonicNowMs;
    this.#runTimes = new RunTimes(concurrency);
  }

  get size(): number {
    return this.#members.size;
  }

  /** How many launches hold a permit. */
  get running(): number {
    return this.#running.size;
  }

  /** How many wait for one. */
  get queueing(): number {
    return this.#queueing.size;
  }

  add(launch: Launch, actor: SlotActor): void {
    this.#members.set(launch.launchId, { launch, actor });
  }

  remove(launchId: string): void {
    this.#members.delete(launchId);
    this.#ran.delete(launchId);
    this.returnPermit(launchId);
  }

  launchOf(launchId: string): Launch | null {
    return this.#members.get(launchId)?.launch ?? null;
  }

  get(launchId: string): { launch: Launch; actor: SlotActor } | undefined {
    return this.#members.get(launchId);
  }

  members(): Iterable<{ launch: Launch; actor: SlotActor }> {
    return this.#members.values();
  }

  /** Its run is over: the launch only waits for its result to be recorded. */
  noteRun(launchId: string, tookMs: number): void {
    this.#ran.add(launchId);
    this.#runTimes.add(tookMs);
  }

  /** What has to run, and runs, by the database's clock. */
  work(clockMs: number): HeldWork {
    const nowMs = this.#monotonicNowMs();
    const untilTickMs: number[] = [];
    for (const [launchId, { launch }] of this.#members) {
      const waits = !this.#running.has(launchId) && !this.#ran.has(launchId);
      if (waits) untilTickMs.push(launch.startAtMs - clockMs);
    }
    return {
      concurrency: this.#concurrency,
      meanMs: this.#runTimes.meanMs,
      lastedMs: [...this.#running.values()].map((sinceMs) => nowMs - sinceMs),
      untilTickMs,
    };
  }

  /** More launches want to run than may: one that cannot use its permit holds others up. */
  get isCrowded(): boolean {
    return this.#queueing.size > 0;
  }

  /** Those that have waited for a permit for longer than that. */
  queueingFor(ms: number): { launch: Launch; actor: SlotActor }[] {
    const sinceMs = this.#monotonicNowMs() - ms;
    return [...this.#queueing].flatMap(([launchId, fromMs]) => {
      const member = fromMs < sinceMs ? this.#members.get(launchId) : undefined;
      return member === undefined ? [] : [member];
    });
  }

  /** Queues for a permit; first come, first served. */
  requestPermit(launchId: string): void {
    this.#queueing.set(launchId, this.#monotonicNowMs());
    this.#grant();
  }

  /** Gives a permit back, or leaves the queue for one. */
  returnPermit(launchId: string): void {
    this.#queueing.delete(launchId);
    this.#running.delete(launchId);
    this.#grant();
  }

  #grant(): void {
    for (const launchId of this.#queueing.keys()) {
      if (!hasPermit(this.#concurrency, this.#running.size)) return;
      this.#queueing.delete(launchId);
      this.#running.set(launchId, this.#monotonicNowMs());
      this.#members.get(launchId)?.actor.send({ type: 'permit.granted' });
    }
  }
}
