import { parseArgs } from 'node:util';
import { type ModelConstants, modelConstants } from './modelConstants.ts';

/** What `npm run sim -- --fleet N` is to do. */
export interface FleetOptions {
  readonly nodes: number;
  readonly seed: number;
  /** How many seeds, from that one on. */
  readonly seeds: number;
  /** Ticks a second, of all nodes together. */
  readonly runs: number;
  readonly lastsMs: number;
  /** Of each node. */
  readonly concurrency: number;
  /** Simulated: of each window. */
  readonly seconds: number;
  /** How many of the nodes are lost in one moment, under load; 0: none. */
  readonly lost: number;
  /** Slots that are all due at once, instead of runs in each second; 0: none. */
  readonly backlog: number;
  readonly constants: ModelConstants;
  readonly json: boolean;
}

export const fleetUsage = `npm run sim -- --fleet NODES [--runs R] [--lasts SECONDS]
  [--concurrency C] [--seconds 20] [--kill PERCENT] [--cores P] [--round-trip MS]
  [--seed 1] [--seeds COUNT] [--json]
npm run sim -- --fleet NODES --backlog SLOTS [--lasts 0.1] [--concurrency 2000] …`;

const runsPerNode = 5;
/** As `statecron node` has it. */
const concurrencyDefault = 32;

const flags = {
  fleet: { type: 'string' },
  runs: { type: 'string' },
  lasts: { type: 'string' },
  backlog: { type: 'string' },
  concurrency: { type: 'string' },
  seconds: { type: 'string', default: '20' },
  cores: { type: 'string', default: String(modelConstants.cores.value) },
  'round-trip': { type: 'string', default: String(modelConstants.roundTripMs.value) },
  seed: { type: 'string', default: '1' },
  seeds: { type: 'string', default: '1' },
  kill: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Reads the command line; what is wrong with it comes as a text. */
export function readFleetOptions(args: readonly string[]): FleetOptions | string {
  try {
    const { values } = parseArgs({ args: [...args], options: flags });
    const whole = (name: string, text: string, most: number): number => {
      const value = Number(text);
      if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
      throw new Error(`--${name} ${text}: a whole number from 1 to ${most} is wanted`);
    };
    const nodes = whole('fleet', values.fleet ?? '', 5_000);
    const roundTripMs = Number(values['round-trip']);
    if (!(roundTripMs >= 0.01 && roundTripMs <= 1_000)) {
      throw new Error(`--round-trip ${values['round-trip']}: milliseconds from 0.01 are wanted`);
    }
    const { cores: _, roundTripMs: __, ...fixed } = modelConstants;
    const constant = ({ value }: { readonly value: number }): number => value;
    const lostShare = values.kill === undefined ? 0 : whole('kill', values.kill, 90) / 100;
    const runs = whole('runs', values.runs ?? String(runsPerNode * nodes), 20_000);
    const backlog = values.backlog === undefined ? 0 : whole('backlog', values.backlog, 1_000_000);
    const lastsSeconds = Number(values.lasts ?? (backlog === 0 ? 10 : 0.1));
    if (!(lastsSeconds >= 0.01 && lastsSeconds <= 3_600)) {
      throw new Error(`--lasts ${values.lasts}: seconds from 0.01 to 3600 are wanted`);
    }
    const lastsMs = lastsSeconds * 1_000;
    // By default the nodes could do twice as much, so that what is late is not late for that.
    const wanted = backlog > 0 ? backlog : Math.ceil((2 * runs * lastsMs) / 1_000 / nodes);
    const concurrency = String(Math.min(2_000, Math.max(concurrencyDefault, wanted)));
    return {
      nodes,
      seed: whole('seed', values.seed, Number.MAX_SAFE_INTEGER),
      seeds: whole('seeds', values.seeds, 10_000),
      lost: Math.floor(lostShare * nodes),
      runs,
      lastsMs,
      backlog,
      concurrency: whole('concurrency', values.concurrency ?? concurrency, 2_000),
      seconds: whole('seconds', values.seconds, 3_600),
      constants: {
        cores: whole('cores', values.cores, 1_024),
        roundTripMs,
        statementMs: constant(fixed.statementMs),
        rowReadMs: constant(fixed.rowReadMs),
        rowPassedMs: constant(fixed.rowPassedMs),
        rowWrittenMs: constant(fixed.rowWrittenMs),
        commitMs: constant(fixed.commitMs),
        flushMs: constant(fixed.flushMs),
      },
      json: values.json === true,
    };
  } catch (error) {
    return (error as Error).message;
  }
}
