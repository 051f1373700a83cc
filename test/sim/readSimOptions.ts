import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { fleetUsage } from './fleet/readFleetOptions.ts';
import { type Mutation, mutations } from './scenario.ts';

/** What `npm run sim` is to do. */
export interface SimOptions {
  readonly first: number;
  readonly seeds: number;
  /** One world alone; null: many. */
  readonly seed: number | null;
  /** How many nodes each world has; null: as its seed says. */
  readonly nodes: number | null;
  readonly workers: number;
  /** The parts that are left in, see `partsOf`; null: all. */
  readonly only: readonly string[] | null;
  readonly activeMs: number | null;
  readonly mutation: Mutation | null;
  readonly json: boolean;
}

export const simUsage = `npm run sim -- [--seeds 1000] [--first 1] [--nodes N] [--workers N]
npm run sim -- --seed S [--nodes N] [--only f0,o1,n0,j2,…] [--active-ms MS] [--json]
Both take --mutation NAME: ${mutations.join(' | ')}
${fleetUsage}`;

const flags = {
  seeds: { type: 'string', default: '1000' },
  first: { type: 'string', default: '1' },
  workers: { type: 'string', default: String(availableParallelism()) },
  seed: { type: 'string' },
  nodes: { type: 'string' },
  only: { type: 'string' },
  'active-ms': { type: 'string' },
  mutation: { type: 'string' },
  replay: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** Reads the command line; what is wrong with it, or a call for help, comes as a text. */
export function readSimOptions(args: readonly string[]): SimOptions | string {
  try {
    const { values } = parseArgs({ args: [...args], options: flags });
    if (values.help === true) return '';
    const perhaps = (name: 'seed' | 'nodes' | 'active-ms'): number | null =>
      values[name] === undefined ? null : readWhole(name, values[name]);
    return {
      first: readWhole('first', values.first),
      seeds: readWhole('seeds', values.seeds),
      seed: perhaps('seed'),
      nodes: perhaps('nodes'),
      workers: readWhole('workers', values.workers),
      only: values.only?.split(',') ?? null,
      activeMs: perhaps('active-ms'),
      mutation: readMutation(values.mutation),
      json: values.json === true,
    };
  } catch (error) {
    return (error as Error).message;
  }
}

function readWhole(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new Error(`--${name} ${text}: a whole number from 1 is wanted`);
}

function readMutation(name: string | undefined): Mutation | null {
  if (name === undefined) return null;
  const mutation = mutations.find((each) => each === name);
  if (mutation === undefined) throw new Error(`--mutation ${name}: there is no such bug to plant`);
  return mutation;
}
