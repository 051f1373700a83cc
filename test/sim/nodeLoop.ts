import type { ActorClock } from '../../src/actors/runtime/slicedClock.ts';
import type { ClientLoop } from './store/memoryChannel.ts';
import type { Appointment, Timeline } from './timeline.ts';

/** Something that is to happen in the process. */
class Happening implements Appointment {
  readonly fire: () => void;
  isCancelled = false;
  appointment: Appointment | null = null;

  constructor(fire: () => void) {
    this.fire = fire;
  }

  cancel(): void {
    this.isCancelled = true;
    this.appointment?.cancel();
  }
}

/**
 * The event loop of one simulated process. While it is frozen everything that would happen in it is
 * held back; when it thaws, timers that have expired come before what has arrived, as in Node.
 * After its death nothing happens in it any more.
 */
export class NodeLoop implements ClientLoop {
  readonly #timeline: Timeline;
  #state: 'running' | 'frozen' | 'dead' = 'running';
  #heldTimers: Happening[] = [];
  #heldArrivals: Happening[] = [];

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  get isFrozen(): boolean {
    return this.#state === 'frozen';
  }

  /** A delay of this process, for xstate. */
  readonly actorClock: ActorClock = {
    setTimeout: (fire, delayMs) => this.after(delayMs, fire),
    clearTimeout: (timer) => (timer as Appointment | undefined)?.cancel(),
  };

  after(delayMs: number, fire: () => void): Appointment {
    const happening = new Happening(fire);
    if (this.#state === 'dead') return happening;
    happening.appointment = this.#timeline.after(delayMs, () => {
      if (this.#state === 'running') fire();
      else if (this.#state === 'frozen') this.#heldTimers.push(happening);
    });
    return happening;
  }

  receive(fire: () => void): void {
    if (this.#state === 'running') fire();
    else if (this.#state === 'frozen') this.#heldArrivals.push(new Happening(fire));
  }

  freeze(): void {
    if (this.#state === 'running') this.#state = 'frozen';
  }

  thaw(): void {
    if (this.#state !== 'frozen') return;
    this.#state = 'running';
    const held = [...this.#heldTimers, ...this.#heldArrivals];
    this.#heldTimers = [];
    this.#heldArrivals = [];
    for (const each of held) {
      this.#timeline.after(0, () => {
        if (!each.isCancelled) this.receive(each.fire);
      });
    }
  }

  die(): void {
    this.#state = 'dead';
    this.#heldTimers = [];
    this.#heldArrivals = [];
  }
}
