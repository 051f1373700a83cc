import type { ActorRef, Snapshot } from 'xstate';
import type { SlotEvent } from '../../../statecharts/slot.ts';
import type { Launch } from '../../domain/run/launch.ts';
import { hasPermit } from '../../domain/targeting/placesLeft.ts';

type SlotActor = ActorRef<Snapshot<unknown>, SlotEvent>;

/**
 * The launches that live in this process, by launch id, and the permits to run a child. A launch
 * enters after its claim was acknowledged, and only then (P15).
 */
export class Roster {
  readonly #members = new Map<string, { launch: Launch; actor: SlotActor }>();
  readonly #running = new Set<string>();
  readonly #queueing = new Set<string>();
  readonly #concurrency: number;
  /** Batches whose outcome nobody told: the database may hold what is not here. */
  unknowns = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
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

  /** More launches want to run than may: one that cannot use its permit holds others up. */
  get isCrowded(): boolean {
    return this.#queueing.size > 0;
  }

  /** Queues for a permit; first come, first served. */
  requestPermit(launchId: string): void {
    this.#queueing.add(launchId);
    this.#grant();
  }

  /** Gives a permit back, or leaves the queue for one. */
  returnPermit(launchId: string): void {
    this.#queueing.delete(launchId);
    this.#running.delete(launchId);
    this.#grant();
  }

  #grant(): void {
    for (const launchId of this.#queueing) {
      if (!hasPermit(this.#concurrency, this.#running.size)) return;
      this.#queueing.delete(launchId);
      this.#running.add(launchId);
      this.#members.get(launchId)?.actor.send({ type: 'permit.granted' });
    }
  }
}
