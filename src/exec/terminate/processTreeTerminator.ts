import { launchNumber, tagOfLaunch } from '../process/launchTag.ts';
import {
  killChecked,
  type ProcessEntry,
  type ProcessScan,
  scanProcesses,
  selectTree,
} from '../process/processTree.ts';
import type { Spawner, Stray } from '../spawn/spawner.ts';
import { type Attribution, attributeStrays, mayBeMarked, type RunTree } from './attributeStrays.ts';

/** When what bash left running is signalled, as instants of `performance.now()`. */
export interface TerminationSchedule {
  termAtMs: number;
  killAtMs: number;
  /** From then on it is only looked at, and the waiting ends. */
  giveUpAtMs: number;
}

/** How what bash left running came to its end. */
export interface TerminationResult {
  /** The most processes that were seen at one look. */
  seen: number;
  /** The hardest signal that was sent. */
  signal: 'SIGTERM' | 'SIGKILL' | null;
  /** False: the waiting was given up while something still lived. */
  gone: boolean;
}

interface Waiting {
  tree: RunTree;
  schedule: TerminationSchedule;
  result: TerminationResult;
  /** In a row: one scan may miss a process that forks meanwhile. */
  emptyScans: number;
  resolve: (result: TerminationResult) => void;
}

const firstRoundMs = 5;
const lastRoundMs = 250;
/** A stray that belongs to no known run must not hold up a run for ever. */
const unclearScansMax = 20;

/**
 * Signals process trees and waits until they are gone, for all runs of a worker together: one scan
 * answers for every run that waits, so 500 runs a second cost no more than ten.
 */
export class ProcessTreeTerminator {
  readonly #spawner: Pick<Spawner, 'strays' | 'killStrays'>;
  readonly #onError: (error: unknown) => void;
  readonly #running = new Map<string, RunTree>();
  /** Numbers of launches whose rest was given up while it lived. */
  readonly #leftAlone = new Set<number>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #toSignal = new Map<RunTree, NodeJS.Signals>();
  #timer: NodeJS.Timeout | null = null;
  #roundMs = firstRoundMs;
  #inRound = false;

  constructor(spawner: Pick<Spawner, 'strays' | 'killStrays'>, onError: (error: unknown) => void) {
    this.#spawner = spawner;
    this.#onError = onError;
  }

  /** From its spawn on a run may have left what is looked for. */
  track(tree: RunTree): void {
    this.#running.set(tree.launchId, tree);
  }

  /** Its tree is gone, or is to be left alone. */
  untrack({ launchId }: RunTree): void {
    this.#running.delete(launchId);
  }

  /** Sends a signal to the whole tree of a run whose bash lives; the scan is shared. */
  signal(tree: RunTree, signal: NodeJS.Signals): void {
    if (this.#toSignal.size === 0) setImmediate(() => this.#signalTrees());
    this.#toSignal.set(tree, signal);
  }

  /** Resolves when nothing of a run lives whose bash has ended. */
  waitUntilGone(tree: RunTree, schedule: TerminationSchedule): Promise<TerminationResult> {
    return new Promise((resolve) => {
      const result: TerminationResult = { seen: 0, signal: null, gone: false };
      this.#waiting.set(tree.launchId, { tree, schedule, result, emptyScans: 0, resolve });
      this.#hurry();
    });
  }

  /** Changes when the rest of a run is signalled that `waitUntilGone` waits for. */
  reschedule(launchId: string, schedule: TerminationSchedule): void {
    const waiting = this.#waiting.get(launchId);
    if (waiting === undefined) return;
    waiting.schedule = schedule;
    this.#hurry();
  }

  #signalTrees(): void {
    const scan = scanProcesses();
    for (const [tree, signal] of this.#toSignal) {
      signalAll(treeOf(tree, scan, []), signal);
      if (signal === 'SIGKILL') this.#spawner.killStrays(tree.launchId);
    }
    this.#toSignal.clear();
  }

  #hurry(): void {
    this.#roundMs = firstRoundMs;
    if (this.#inRound) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#startRound(), 0);
  }

  #startRound(): void {
    this.#inRound = true;
    this.#round().then((tookMs) => {
      this.#inRound = false;
      this.#timer = null;
      if (this.#waiting.size === 0) return;
      // A scan that is expensive is done less often: at most a sixth of the time goes into it.
      const pauseMs = Math.min(this.#roundMs, this.#untilNextActMs());
      this.#timer = setTimeout(() => this.#startRound(), Math.max(pauseMs, 5 * tookMs));
      this.#roundMs = Math.min(lastRoundMs, this.#roundMs * 1.5);
    }, this.#onError);
  }

  /** How long it is to the next signal that is due. */
  #untilNextActMs(): number {
    const now = performance.now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { schedule } of this.#waiting.values()) {
      for (const atMs of [schedule.termAtMs, schedule.killAtMs]) {
        if (atMs > now) nextMs = Math.min(nextMs, atMs - now);
      }
    }
    return nextMs;
  }

  async #round(): Promise<number> {
    // Who comes while the query is under way waits for the next one: when it was answered, what a
    // run left may not have been a stray yet.
    const waitingNow = [...this.#waiting.values()];
    const strays = await this.#spawner.strays();
    const began = performance.now();
    const found = strays === null ? null : attributeStrays(strays, this.#running, this.#leftAlone);
    this.#forgetGone(strays ?? []);
    let sharedScan = found === null ? scanProcesses() : null;
    for (const waiting of waitingNow) {
      const { tree } = waiting;
      const left = found === null ? leftIn(sharedScan, tree) : found.strays.get(tree.launchId);
      if (left === undefined) {
        this.#noteEmptyScan(waiting, found);
        continue;
      }
      waiting.emptyScans = 0;
      sharedScan ??= scanProcesses();
      this.#carryOut(waiting, treeOf(tree, sharedScan, left));
      if (performance.now() >= waiting.schedule.giveUpAtMs) this.#end(waiting, false);
    }
    return performance.now() - began;
  }

  #forgetGone(strays: readonly Stray[]): void {
    const living = new Set(strays.map(({ launch }) => launch));
    for (const number of this.#leftAlone) if (!living.has(number)) this.#leftAlone.delete(number);
  }

  #carryOut({ result, schedule, tree }: Waiting, entries: ProcessEntry[]): void {
    result.seen = Math.max(result.seen, entries.length);
    const now = performance.now();
    if (now >= schedule.killAtMs) result.signal = 'SIGKILL';
    else if (now >= schedule.termAtMs && result.signal === null) result.signal = 'SIGTERM';
    else return;
    signalAll(entries, result.signal);
    if (result.signal === 'SIGKILL') this.#spawner.killStrays(tree.launchId);
  }

  /** One answer of the launcher is exact, unless a process has hidden whose it is. */
  #noteEmptyScan(waiting: Waiting, found: Attribution | null): void {
    waiting.emptyScans += 1;
    const isClear = found === null ? waiting.emptyScans > 1 : !found.isUnclear;
    if (isClear || waiting.emptyScans > unclearScansMax) this.#end(waiting, true);
  }

  #end(waiting: Waiting, gone: boolean): void {
    this.#waiting.delete(waiting.tree.launchId);
    waiting.result.gone = gone;
    if (!gone) this.#leftAlone.add(launchNumber(waiting.tree.launchId));
    waiting.resolve(waiting.result);
  }
}

/** Groups whose leader lives get the signal as a whole, so no shell sees its child go first. */
function signalAll(entries: ProcessEntry[], signal: NodeJS.Signals): void {
  const groups = new Set<number>();
  for (const entry of entries) {
    if (groups.has(entry.groupId)) continue;
    if (entry.pid === entry.groupId && killChecked(entry, signal, 'group')) groups.add(entry.pid);
    else killChecked(entry, signal);
  }
}

/** Undefined: nothing. */
function leftIn(scan: ProcessScan | null, tree: RunTree): ProcessEntry[] | undefined {
  const left = scan === null ? [] : treeOf(tree, scan, []);
  return left.length === 0 ? undefined : left;
}

function treeOf(tree: RunTree, scan: ProcessScan, roots: readonly ProcessEntry[]): ProcessEntry[] {
  const own = tagOfLaunch(tree.launchId);
  return selectTree(scan, {
    hasTag: ({ session, launch }) => launch === own.launch && session === own.session,
    hasMark: (mark, entry) => mark === tree.launchId && mayBeMarked(entry, tree),
    groups: new Map([[tree.pid, tree.startTicks]]),
    roots: new Map(roots.map((entry) => [entry.pid, entry.startTicks])),
  });
}
