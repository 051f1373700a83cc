import type { RandomSource } from './randomSource.ts';
import type { Fate, Wire } from './store/memoryChannel.ts';

/** A fault of the way between one client and the database. */
export interface WireFault {
  readonly fate: Exclude<Fate, 'through'>;
  /** Of the statements that it is for. */
  readonly share: number;
}

/** The statements that change something: where a cut hurts most. */
const writes = new Set(['commit', 'renewSession', 'markReaped', 'writeOutputs']);

/** The way between one client and the database, with the faults that are on it now. */
export class NodeWire implements Wire {
  /** Partitions that cut it now. */
  cuts = 0;
  readonly faults = new Set<WireFault>();
  readonly #random: RandomSource;
  readonly #latencyMs: readonly [number, number];

  constructor(random: RandomSource, latencyMs: readonly [number, number]) {
    this.#random = random;
    this.#latencyMs = latencyMs;
  }

  get isUp(): boolean {
    return this.cuts === 0;
  }

  latencyMs(): number {
    const [least, most] = this.#latencyMs;
    return this.#random.between(least, most);
  }

  commitDelayMs(): number {
    return this.#random.between(50, 3_000);
  }

  fate(statement: string): Fate {
    for (const { fate, share } of this.faults) {
      const isOfCommits = fate === 'delayed' || fate === 'conflicted';
      const isMeant = isOfCommits ? statement === 'commit' : isWorthIt(statement, share);
      if (isMeant && this.#random.chance(share)) return fate;
    }
    return 'through';
  }
}

/** A small share goes for the writes alone: that is where the outcome matters. */
function isWorthIt(statement: string, share: number): boolean {
  return share > 0.3 || writes.has(statement);
}
