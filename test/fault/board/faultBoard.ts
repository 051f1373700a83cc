import { chooseKinds } from '../chooseKinds.ts';
import { type Dealing, dealFaults, type FaultSource } from '../dealFaults.ts';
import { type FaultTable, pause } from '../faultTable.ts';
import type { Verdict } from '../judgeHistory.ts';
import type { FaultOptions } from '../readFaultOptions.ts';
import { addSoFar, type SoFar } from '../soFar/soFar.ts';
import type { RunState } from '../startProgress.ts';
import type { FaultDriver } from '../superviseRun.ts';
import { bootNowMs } from '../world/bootNow.ts';
import type { Random } from '../world/random.ts';

/** What is under way, once the cluster is live. */
export interface BoardRun {
  readonly table: FaultTable;
  readonly dealing: Dealing;
  readonly notRun: ReadonlyMap<string, string>;
  /** Of what is pressed: the seed's own draws are not moved by it. */
  readonly random: Random;
  readonly startedMs: number;
}

/** What came of a run, and the file of its report. */
export interface BoardEnd {
  readonly verdict: Verdict;
  readonly report: string;
}

/** Faults by hand, with those of the seed beside them when they are wanted. */
export class FaultBoard implements FaultDriver {
  readonly options: FaultOptions;
  readonly state: RunState;
  run: BoardRun | null = null;
  /** What the judge has said while it goes on; null: nothing yet. */
  soFar: SoFar | null = null;
  end: BoardEnd | null = null;
  readonly #ending = new AbortController();
  #dealt: AbortController | null = null;
  #dealer: Promise<void> = Promise.resolve();

  constructor(options: FaultOptions, state: RunState) {
    this.options = options;
    this.state = state;
  }

  /** Faults come until `finish`, or until the time is over. */
  readonly source: FaultSource = async (table, dealing) => {
    const { notRun } = chooseKinds(this.options.faults, table.world);
    this.run = {
      table,
      dealing,
      notRun: new Map(notRun.map(({ kind, reason }) => [kind, reason])),
      random: dealing.random.fork(),
      startedMs: bootNowMs(),
    };
    const signal = AbortSignal.any([dealing.signal, this.#ending.signal]);
    await pause(dealing.untilMs - bootNowMs(), signal);
    this.#ending.abort();
    this.deal(false);
    for (const fault of this.state.lasting) fault.heal();
    await Promise.all([this.#dealer, table.cleared()]);
  };

  readonly judged = (soFar: SoFar): void => {
    this.soFar = addSoFar(this.soFar, soFar);
  };

  /** False: faults are not taken, not yet or no longer. */
  get isOpen(): boolean {
    return this.run !== null && !this.#ending.signal.aborted;
  }

  get isDealing(): boolean {
    return this.#dealt !== null;
  }

  /**
   * Does a fault at once.
   * @param node whom it is for, of kinds that take a node; null: any that is healthy
   * @returns why it cannot be done now; null: it is being done
   */
  press(name: string, node: string | null): string | null {
    const { run } = this;
    if (run === null || !this.isOpen) return 'no faults are taken now';
    const { dealing, notRun, random, table } = run;
    const kind = dealing.kinds.find((each) => each.kind === name);
    if (kind === undefined) return notRun.get(name) ?? `there is no fault "${name}" here`;
    const places = table.places(kind.takes);
    if (places.length === 0) return whyItWaits[kind.takes];
    const place = node === null ? random.pick(places) : places.find((each) => each.name === node);
    if (place === undefined) return `${node} is broken already, or does not serve yet`;
    void table.play(kind, place, random);
    return null;
  }

  /** Ends what lasts of a kind before its time. */
  heal(kind: string): void {
    for (const fault of this.state.lasting) if (fault.kind === kind) fault.heal();
  }

  /** The seed deals, or does no longer; what it has dealt ends by itself. */
  deal(isWanted: boolean): void {
    if (isWanted === this.isDealing) return;
    this.#dealt?.abort();
    this.#dealt = null;
    if (!isWanted || this.run === null || !this.isOpen) return;
    const own = new AbortController();
    const { table, dealing } = this.run;
    const signal = AbortSignal.any([dealing.signal, own.signal]);
    this.#dealt = own;
    this.#dealer = this.#dealer.then(() => dealFaults(table, { ...dealing, signal }));
  }

  /** Nothing more is broken; what lasts is healed, and then it is judged. */
  finish(): void {
    this.#ending.abort();
  }
}

/** What a kind has to wait for that has no place now. */
export const whyItWaits = {
  node: 'one node has to stay healthy',
  database: 'the database is broken already',
  operator: 'the way of the operators is broken already',
  api: 'the way to the API is broken already',
  nothing: '',
} as const;
