import {
  isLaunchEnd,
  type LaunchMessage,
  type WatchedLaunch,
} from '../../domain/commit/nodeActivity.ts';
import { eventName } from './activityCounts.ts';
import type { ActorEvent } from './actorEvents.ts';

type Kept = { -readonly [Field in keyof LaunchMessage]: LaunchMessage[Field] };

/** The last launches of a job, and of all, whose messages are kept. */
const launchesOfJobMax = 2;
const launchesMax = 24;
const droppedMax = 10_000;
/** A launch takes some ten. */
const messagesMax = 40;

/**
 * The messages of the latest launches of a node, kept in memory while somebody looks. Of a job that
 * is launched all the time few are kept, so that it does not push out those of the others. One that
 * is over goes before one under way, whose end is still to be told.
 */
export class WatchedLaunches {
  /** The oldest first. */
  readonly #launches = new Map<string, { readonly jobId: number; readonly messages: Kept[] }>();
  readonly #dropped = new Set<string>();
  #stop: (() => void) | null = null;

  /**
   * Begins to keep what is said, or ends it; what was kept stays.
   * @param watch has every message and change of state told
   */
  keep(isWanted: boolean, nowMs: () => number, watch: (see: See) => () => void): void {
    if (isWanted === (this.#stop !== null)) return;
    if (isWanted) this.#stop = watch((event) => this.#see(event, nowMs()));
    else {
      this.#stop?.();
      this.#stop = null;
    }
  }

  all(): readonly WatchedLaunch[] {
    return [...this.#launches].map(([launchId, { messages }]) => ({ launchId, messages }));
  }

  #see(event: ActorEvent, atMs: number): void {
    const { launch } = event;
    if (launch === null) return;
    const { jobId, launchId } = launch;
    const known = this.#launches.get(launchId);
    const messages = known?.messages ?? [];
    if (event.what === 'change') {
      // Others may have come since: it is told when its actions are done.
      const name = eventName(event.event);
      const last = messages.findLast((each) => each.to === event.machine && each.event === name);
      if (last !== undefined) last.state = event.state;
      return;
    }
    if (messages.length >= messagesMax || this.#dropped.has(launchId)) return;
    if (known === undefined) this.#add(launchId, jobId, messages);
    const [to, name] = [event.machine, eventName(event.event)];
    messages.push({ atMs, from: senderOf(to, name), to, event: name, state: null });
  }

  #add(launchId: string, jobId: number, messages: Kept[]): void {
    this.#launches.set(launchId, { jobId, messages });
    const ids = [...this.#launches.keys()];
    const ofJob = ids.filter((id) => this.#launches.get(id)?.jobId === jobId);
    if (ofJob.length > launchesOfJobMax) this.#drop(this.#leastWanted(ofJob));
    if (this.#launches.size > launchesMax) this.#drop(this.#leastWanted(ids));
  }

  #leastWanted(ids: readonly string[]): string {
    const over = ids.find((id) => this.#launches.get(id)?.messages.some(isLaunchEnd));
    return over ?? ids[0] ?? '';
  }

  /** Half of a launch would look like the whole. */
  #drop(launchId: string): void {
    this.#launches.delete(launchId);
    this.#dropped.add(launchId);
    const [oldest = ''] = this.#dropped;
    if (this.#dropped.size > droppedMax) this.#dropped.delete(oldest);
  }
}

type See = (event: ActorEvent) => void;

const committed = /^(claim|start|finish|reset|reap)\.(committed|refused|unknown|early)$/;

/**
 * Who sends a message about a launch that is in memory. Actors send to each other by name, which
 * xstate tells nobody. Null: a timer, a promise, or one of several.
 */
export function senderOf(to: string, event: string): string | null {
  if (/^(after|done|error) /.test(event)) return null;
  if (to !== 'slot') return 'slot';
  if (committed.test(event)) return 'committer';
  if (/^(init$|permit\.|slot\.release$)/.test(event)) return 'scheduler';
  return event === 'slot.drop' ? 'compensator' : null;
}
