import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRecord } from '../checkers/history.ts';
import { bootNowMs } from './world/bootNow.ts';
import type { FaultNode } from './world/faultNode.ts';
import type { FaultKind, FaultWorld, Injection, Taken } from './world/faultWorld.ts';
import type { Random } from './world/random.ts';

export interface TableParts {
  /** Ends what lasts: it is healed at once. */
  readonly signal: AbortSignal;
  /** Reports what could not be done as it should. */
  readonly trouble: (text: string) => void;
  /** Called when one more is healed. */
  readonly done?: () => void;
  /** The faults that last now. */
  readonly lasting: Set<LastingFault>;
}

/** A fault from when it is asked for until it is healed. */
export interface LastingFault {
  readonly kind: string;
  /** Whom it is for; null: a kind that takes no node. */
  readonly node: string | null;
  /** `asked`: waits for what it is to be done to. `healing`: until its node serves again, too. */
  readonly phase: 'asked' | 'on' | 'healing';
  /** What was done; before it was: empty. */
  readonly detail: string;
  /** When it ends by itself, by the boot clock; null: not known yet. */
  readonly untilMs: number | null;
  /** Ends it before its time. */
  heal(): void;
}

type ChangingFault = { -readonly [K in keyof LastingFault]: LastingFault[K] };

const lookMs = 100;
/** A session that is younger has not shown yet that its node serves. */
const soundMsMin = 1_000;
/** How long a node that was broken may take to serve again before others may be broken too. */
const recoveryMsMax = 20_000;
/** For how long what was done is tried to be undone. */
const healMsMax = 120_000;

/**
 * What is broken now, and by what: whoever breaks something does it here. Several faults last at
 * once, but never so that no node is healthy (a kind that takes a node leaves another one) or two
 * break the database.
 */
export class FaultTable {
  readonly world: FaultWorld;
  /** Each fault that is over, as it was. */
  readonly healed: FaultRecord[] = [];
  readonly #parts: TableParts;
  readonly #taken = new Set<Taken>();
  readonly #broken = new Set<FaultNode>();
  readonly #playing = new Set<Promise<boolean>>();
  /** What would be told of each that is not over, if it ended now. */
  readonly #underWay = new Map<LastingFault, () => FaultRecord>();

  constructor(world: FaultWorld, parts: TableParts) {
    this.world = world;
    this.#parts = parts;
  }

  /** The nodes that a fault could be done to now; none: it has to wait. */
  places(takes: Taken): readonly FaultNode[] {
    const { nodes } = this.world;
    if (takes !== 'node') return this.#taken.has(takes) ? [] : nodes;
    const healthy = nodes.filter((node) => this.#isHealthy(node));
    return healthy.length >= Math.min(2, nodes.length) ? healthy : [];
  }

  /**
   * Does a fault to one of its `places`. Resolves when it is healed.
   * @returns false when there was nothing to do it to; then nothing was changed
   */
  play(kind: FaultKind, node: FaultNode, random: Random): Promise<boolean> {
    if (kind.takes === 'node') this.#broken.add(node);
    else if (kind.takes !== 'nothing') this.#taken.add(kind.takes);
    const playing = this.#play(kind, node, random).finally(() => {
      this.#playing.delete(playing);
      this.#taken.delete(kind.takes);
    });
    this.#playing.add(playing);
    return playing;
  }

  /** Resolves when every fault is healed. */
  async cleared(): Promise<void> {
    await Promise.all(this.#playing);
  }

  /** Each fault as far as it has come: what lasts, lasts until now. */
  soFar(): FaultRecord[] {
    return [...this.healed, ...[...this.#underWay.values()].map((tell) => tell())];
  }

  async #play(kind: FaultKind, node: FaultNode, random: Random): Promise<boolean> {
    const { signal, trouble, done, lasting } = this.#parts;
    const beganMs = bootNowMs();
    const pid = node.nodePid;
    const early = new AbortController();
    const name = kind.takes === 'node' ? node.name : null;
    const fault = faultOf(kind.kind, name, early);
    lasting.add(fault);
    this.#underWay.set(fault, () => recordAsked(kind, node, beganMs));
    try {
      const injection = await kind.inject(this.world, random.fork(), node);
      if (injection === null) {
        trouble(`${kind.kind}: there was nothing to do it to`);
        return false;
      }
      this.#underWay.set(fault, () => recordOf(kind, injection, beganMs));
      const { detail, lastsMs } = injection;
      Object.assign(fault, { phase: 'on', detail, untilMs: bootNowMs() + lastsMs });
      await outlast(injection, AbortSignal.any([signal, early.signal]));
      fault.phase = 'healing';
      await this.#heal(kind, injection);
      if (injection.endsNode === true) await this.#served(node, pid);
      this.healed.push(recordOf(kind, injection, beganMs));
      this.#underWay.delete(fault);
      done?.();
      if (!signal.aborted) await injection.recover?.();
    } catch (error) {
      trouble(`${kind.kind}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      lasting.delete(fault);
      this.#underWay.delete(fault);
      if (kind.takes === 'node') {
        // It counts as broken until it serves again, while the fault itself is over.
        void this.#served(node, null).then(() => this.#broken.delete(node));
      }
    }
    return true;
  }

  /**
   * Other faults, or a machine that is busy, may keep it from being undone: then it lasts on, and
   * is told as what lasted. One that cannot be undone at all is left to the end of the run.
   */
  async #heal({ kind }: FaultKind, { heal }: Injection): Promise<void> {
    const { signal, trouble } = this.#parts;
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
  async #served(node: FaultNode, pidBefore: number | null): Promise<void> {
    const { signal } = this.#parts;
    const sinceMs = bootNowMs();
    const isBack = () => this.#serves(node) && node.nodePid !== pidBefore;
    while (!isBack() && bootNowMs() - sinceMs < recoveryMsMax && !signal.aborted) {
      await pause(lookMs, signal);
    }
  }

  #isHealthy(node: FaultNode): boolean {
    return !this.#broken.has(node) && this.#serves(node);
  }

  #serves(node: FaultNode): boolean {
    const live = this.world.clock.live.get(node.name);
    const isSound = live !== undefined && bootNowMs() - live.sinceMs >= soundMsMin;
    return isSound && live.processId === node.nodePid;
  }
}

function faultOf(kind: string, node: string | null, early: AbortController): ChangingFault {
  const heal = () => early.abort();
  return { kind, node, phase: 'asked', detail: '', untilMs: null, heal };
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

/** Of one that is about to be done nobody knows yet what it stops. */
function recordAsked({ kind, takes }: FaultKind, node: FaultNode, fromMs: number): FaultRecord {
  const target = takes === 'node' ? node.name : 'database';
  return { kind, target, fromMs, untilMs: bootNowMs(), stops: 'everything', detail: '' };
}

async function outlast({ lastsMs, isOver }: Injection, signal: AbortSignal): Promise<void> {
  const untilMs = bootNowMs() + lastsMs;
  while (!signal.aborted && isOver?.() !== true) {
    const leftMs = untilMs - bootNowMs();
    if (leftMs <= 0) return;
    await pause(Math.min(leftMs, lookMs), signal);
  }
}

/** Ends at once when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined); // aborted: it is over at once
}
