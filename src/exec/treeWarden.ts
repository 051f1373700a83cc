import {
  killChecked,
  killGroupChecked,
  type ProcessEntry,
  type ProcessScan,
  readMark,
  readProcess,
  scanProcesses,
  selectTree,
} from './processTree.ts';

/** A run as far as its process tree goes. */
export interface RunTree {
  launchId: string;
  /** Bash, the leader of its group and session. */
  pid: number;
  startTicks: number;
}

/** What is to happen to what bash left running, as instants of `performance.now()`. */
export interface Sentence {
  termAtMs: number;
  killAtMs: number;
  /** From then on it is only looked at, and the waiting ends. */
  giveUpAtMs: number;
}

export interface Departure {
  /** The most processes that were seen at one look. */
  seen: number;
  /** The hardest signal that was sent. */
  signal: 'SIGTERM' | 'SIGKILL' | null;
  /** False: the waiting was given up while something still lived. */
  gone: boolean;
}

interface Waiting {
  tree: RunTree;
  sentence: Sentence;
  departure: Departure;
  /** Looks in a row that found nothing, where one look may miss a process that forks meanwhile. */
  emptyLooks: number;
  resolve: (departure: Departure) => void;
}

const firstRoundMs = 5;
const lastRoundMs = 250;

/**
 * Signals process trees and waits until they are gone, for all runs of a worker together: one look
 * at the processes answers for every run that waits, so 500 runs a second cost no more than ten.
 */
export class TreeWarden {
  readonly #strays: () => Promise<number[] | null>;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #toSignal = new Map<RunTree, NodeJS.Signals>();
  #timer: NodeJS.Timeout | null = null;
  #roundMs = firstRoundMs;
  #inRound = false;

  constructor(strays: () => Promise<number[] | null>, onError: (error: unknown) => void) {
    this.#strays = strays;
    this.#onError = onError;
  }

  /** Sends a signal to the whole tree of a run whose bash lives; the scan is shared. */
  signal(tree: RunTree, signal: NodeJS.Signals): void {
    if (this.#toSignal.size === 0) setImmediate(() => this.#signalTrees());
    this.#toSignal.set(tree, signal);
  }

  /** Resolves when nothing of a run lives whose bash has ended. */
  untilGone(tree: RunTree, sentence: Sentence): Promise<Departure> {
    return new Promise((resolve) => {
      const departure: Departure = { seen: 0, signal: null, gone: false };
      this.#waiting.set(tree.launchId, { tree, sentence, departure, emptyLooks: 0, resolve });
      this.#hurry();
    });
  }

  /** Changes what is to happen to the rest of a run that `untilGone` waits for. */
  resentence(launchId: string, sentence: Sentence): void {
    const waiting = this.#waiting.get(launchId);
    if (waiting === undefined) return;
    waiting.sentence = sentence;
    this.#hurry();
  }

  #signalTrees(): void {
    const scan = scanProcesses();
    for (const [tree, signal] of this.#toSignal) {
      signalAll(treeOf(tree, scan, []), signal);
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
      // A look that is expensive is taken less often: at most a sixth of the time goes into it.
      const pauseMs = Math.min(this.#roundMs, this.#untilNextActMs());
      this.#timer = setTimeout(() => this.#startRound(), Math.max(pauseMs, 5 * tookMs));
      this.#roundMs = Math.min(lastRoundMs, this.#roundMs * 1.5);
    }, this.#onError);
  }

  /** How long it is to the next signal that is due. */
  #untilNextActMs(): number {
    const now = performance.now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { sentence } of this.#waiting.values()) {
      for (const atMs of [sentence.termAtMs, sentence.killAtMs]) {
        if (atMs > now) nextMs = Math.min(nextMs, atMs - now);
      }
    }
    return nextMs;
  }

  async #round(): Promise<number> {
    // Whoever comes while the question is under way waits for the next one: when it was answered,
    // what a run left may not have been a stray yet.
    const asked = [...this.#waiting.values()];
    const strayPids = await this.#strays();
    const began = performance.now();
    const scan = strayPids === null ? scanProcesses() : null;
    const strays = strayPids === null ? [] : this.#attribute(strayPids, asked);
    let sharedScan = scan;
    for (const waiting of asked) {
      const { tree } = waiting;
      const own = strays.filter((stray) => stray.launchIds.includes(tree.launchId));
      const left = scan === null ? own.map((stray) => stray.entry) : treeOf(tree, scan, []);
      if (left.length === 0) {
        waiting.emptyLooks += 1;
        if (scan === null || waiting.emptyLooks > 1) this.#end(waiting, true);
        continue;
      }
      waiting.emptyLooks = 0;
      sharedScan ??= scanProcesses();
      this.#carryOut(waiting, treeOf(tree, sharedScan, left));
      if (performance.now() >= waiting.sentence.giveUpAtMs) this.#end(waiting, false);
    }
    return performance.now() - began;
  }

  #carryOut({ departure, sentence }: Waiting, entries: ProcessEntry[]): void {
    departure.seen = Math.max(departure.seen, entries.length);
    const now = performance.now();
    if (now >= sentence.killAtMs) departure.signal = 'SIGKILL';
    else if (now >= sentence.termAtMs && departure.signal === null) departure.signal = 'SIGTERM';
    else return;
    signalAll(entries, departure.signal);
  }

  #end(waiting: Waiting, gone: boolean): void {
    this.#waiting.delete(waiting.tree.launchId);
    waiting.departure.gone = gone;
    waiting.resolve(waiting.departure);
  }

  /**
   * Whose are the strays? Session and group tell, then the mark. One that shed all of these may be
   * any run's that was under way when it began; it goes with the first of them that ends, because
   * letting it live would let two launches of a slot overlap.
   */
  #attribute(pids: number[], asked: Waiting[]): { entry: ProcessEntry; launchIds: string[] }[] {
    const strays = [];
    for (const pid of pids) {
      const entry = readProcess(pid);
      if (entry === null) continue;
      const older = asked.filter(({ tree }) => entry.startTicks >= tree.startTicks);
      const led = older.filter(
        ({ tree }) => tree.pid === entry.sessionId || tree.pid === entry.groupId,
      );
      const mark = led.length > 0 ? null : readMark(pid);
      const unknown = led.length === 0 && mark === null ? older : led;
      const launchIds = mark !== null ? [mark] : unknown.map(({ tree }) => tree.launchId);
      strays.push({ entry, launchIds });
    }
    return strays;
  }
}

/** Groups whose leader lives get the signal as a whole, so no shell sees its child go first. */
function signalAll(entries: ProcessEntry[], signal: NodeJS.Signals): void {
  const groups = new Set<number>();
  for (const entry of entries) {
    if (groups.has(entry.groupId)) continue;
    if (entry.pid === entry.groupId && killGroupChecked(entry, signal)) groups.add(entry.pid);
    else killChecked(entry, signal);
  }
}

function treeOf(tree: RunTree, scan: ProcessScan, roots: ProcessEntry[]): ProcessEntry[] {
  return selectTree(scan, {
    hasMark: (mark) => mark === tree.launchId,
    groups: new Map([[tree.pid, tree.startTicks]]),
    roots: new Map(roots.map((entry) => [entry.pid, entry.startTicks])),
  });
}
