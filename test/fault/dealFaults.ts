import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRecord } from '../checkers/history.ts';
import { type Deck, makeDeck } from './makeDeck.ts';
import { bootNowMs } from './world/bootNow.ts';
import type { FaultKind, FaultWorld, Injection, Taken } from './world/faultWorld.ts';
import type { Random } from './world/random.ts';
import type { SupervisedNode } from './world/supervisedNode.ts';

export interface Dealing {
  readonly kinds: readonly FaultKind[];
  readonly random: Random;
  /** Until when faults are begun, by the boot clock. */
  readonly untilMs: number;
  readonly weather: Weather;
  /** Ends it early: nothing more is begun, and what lasts is healed at once. */
  readonly signal: AbortSignal;
  /** Reports what could not be done as it should. */
  readonly trouble: (text: string) => void;
  /** Each fault when it is healed. */
  readonly done: (fault: FaultRecord) => void;
  /** The faults that last now. */
  readonly lasting: Set<string>;
}

/** Faults come in storms, with calms between in which everything has to recover and be in time. */
export interface Weather {
  /** From one fault to the next within a storm, at least and at most. */
  readonly gapMs: readonly [number, number];
  readonly stormMs: number;
  readonly calmMs: number;
}

const lookMs = 100;
/** A session that is younger has not shown yet that its node serves. */
const soundMsMin = 1_000;
/** How long a node that was broken may take to serve again before others may be broken too. */
const recoveryMsMax = 20_000;
/** For how long what was done is tried to be undone. */
const healMsMax = 120_000;

/**
 * Deals faults until the time is over, several at once, but never so that no node is healthy (a
 * kind that takes a node leaves another one) or two break the database at once. Resolves when every
 * fault is healed.
 */
export async function dealFaults(world: FaultWorld, dealing: Dealing): Promise<void> {
  const deck = makeDeck(dealing.kinds, dealing.random);
  const table = new Table(world, dealing, deck);
  const { signal, untilMs, random, weather } = dealing;
  const isOver = (endMs: number) => signal.aborted || bootNowMs() >= Math.min(endMs, untilMs);
  while (!isOver(untilMs)) {
    const stormEndMs = bootNowMs() + weather.stormMs;
    while (!isOver(stormEndMs)) {
      await pause(random.between(...weather.gapMs), signal);
      while (!isOver(stormEndMs)) {
        const card = deck.draw((kind) => table.place(kind) !== null);
        if (card !== null && table.play(card)) break;
        await pause(lookMs, signal);
      }
    }
    await table.cleared();
    if (!isOver(untilMs)) await pause(weather.calmMs, signal);
  }
}

/** What is broken now, and by what. */
class Table {
  readonly #world: FaultWorld;
  readonly #dealing: Dealing;
  readonly #deck: Deck;
  readonly #taken = new Set<Taken>();
  readonly #broken = new Set<SupervisedNode>();
  readonly #playing = new Set<Promise<void>>();

  constructor(world: FaultWorld, dealing: Dealing, deck: Deck) {
    this.#world = world;
    this.#dealing = dealing;
    this.#deck = deck;
  }

  /** The node that a kind would be done to now; null: it has to wait. */
  place(kind: FaultKind): SupervisedNode | null {
    const { nodes } = this.#world;
    if (kind.takes !== 'node') {
      const isFree = kind.takes === 'nothing' || !this.#taken.has(kind.takes);
      return isFree ? this.#dealing.random.pick(nodes) : null;
    }
    const healthy = nodes.filter((node) => this.#isHealthy(node));
    const isEnough = healthy.length >= Math.min(2, nodes.length);
    return isEnough ? this.#dealing.random.pick(healthy) : null;
  }

  play(kind: FaultKind): boolean {
    const node = this.place(kind);
    if (node === null) return false;
    if (kind.takes === 'node') this.#broken.add(node);
    else if (kind.takes !== 'nothing') this.#taken.add(kind.takes);
    const playing = this.#inject(kind, node).finally(() => {
      this.#playing.delete(playing);
      this.#taken.delete(kind.takes);
    });
    this.#playing.add(playing);
    return true;
  }

  async cleared(): Promise<void> {
    await Promise.all(this.#playing);
  }

  async #inject(kind: FaultKind, node: SupervisedNode): Promise<void> {
    const { random, signal, trouble, done, lasting } = this.#dealing;
    const beganMs = bootNowMs();
    const pid = node.nodePid;
    const name = kind.takes === 'node' ? `${kind.kind} (${node.name})` : kind.kind;
    lasting.add(name);
    try {
      const injection = await kind.inject(this.#world, random.fork(), node);
      if (injection === null) {
        trouble(`${kind.kind}: there was nothing to do it to`);
        this.#deck.putBack(kind);
        return;
      }
      await outlast(injection, signal);
      await this.#heal(kind, injection);
      if (injection.endsNode === true) await this.#served(node, pid);
      done(recordOf(kind, injection, beganMs));
      if (!signal.aborted) await injection.recover?.();
    } catch (error) {
      trouble(`${kind.kind}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      lasting.delete(name);
      if (kind.takes === 'node') {
        // It counts as broken until it serves again, while the fault itself is over.
        void this.#served(node, null).then(() => this.#broken.delete(node));
      }
    }
  }

  /**
   * Other faults, or a machine that is busy, may keep it from being undone: then it lasts on, and
   * is told as what lasted. One that cannot be undone at all is left to the end of the run.
   */
  async #heal({ kind }: FaultKind, { heal }: Injection): Promise<void> {
    const { signal, trouble } = this.#dealing;
    const beganMs = bootNowMs();
    for (;;) {
      try {
        await heal();
        return;
      } catch (error) {
        const isGivenUp = signal.aborted || bootNowMs() - beganMs > healMsMax;
        if (isGivenUp) {
          trouble(`${kind} cannot be healed: ${(error as Error).message}`);
          return;
        }
        await pause(lookMs, signal);
      }
    }
  }

  /**
   * Resolves when the node's session is live and has been for a moment, or after a long while.
   * @param pidBefore the process that is to end first
   */
  async #served(node: SupervisedNode, pidBefore: number | null): Promise<void> {
    const { signal } = this.#dealing;
    const sinceMs = bootNowMs();
    const isBack = () => this.#serves(node) && node.nodePid !== pidBefore;
    while (!isBack() && bootNowMs() - sinceMs < recoveryMsMax && !signal.aborted) {
      await pause(lookMs, signal);
    }
  }

  #isHealthy(node: SupervisedNode): boolean {
    return !this.#broken.has(node) && this.#serves(node);
  }

  #serves(node: SupervisedNode): boolean {
    const live = this.#world.clock.live.get(node.name);
    const isSound = live !== undefined && bootNowMs() - live.sinceMs >= soundMsMin;
    return isSound && live.processId === node.nodePid;
  }
}

function recordOf(kind: FaultKind, injection: Injection, beganMs: number): FaultRecord {
  return {
    kind: kind.kind,
    target: injection.target,
    fromMs: injection.fromMs ?? beganMs,
    untilMs: bootNowMs(),
    stops: injection.stops ?? kind.stops,
    detail: injection.detail,
  };
}

async function outlast({ lastsMs, isOver }: Injection, signal: AbortSignal): Promise<void> {
  const untilMs = bootNowMs() + lastsMs;
  while (!signal.aborted && isOver?.() !== true) {
    const leftMs = untilMs - bootNowMs();
    if (leftMs <= 0) return;
    await pause(Math.min(leftMs, lookMs), signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined); // aborted: it is over at once
}
