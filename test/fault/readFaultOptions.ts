import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type FaultEngineName, faultEngines } from './engines/faultEngine.ts';
import { faultKinds } from './faults/faultKinds.ts';
import type { OperationKind } from './workload/victim.ts';

export interface FaultOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly minutes: number;
  /** Words of kinds; empty: all. */
  readonly faults: readonly string[];
  readonly engine: FaultEngineName;
  readonly ttlMs: number;
  readonly multiPrimary: boolean;
  /** So many of a hundred operations are asked of a node's API; 0: nodes have none. */
  readonly apiPercent: number;
  /** Where everything of the run is kept. */
  readonly folder: string;
  /** A cluster that is there already; absent: the run starts one of its own. */
  readonly attach?: AttachOptions;
}

/** The cluster of somebody else, and what is done with it. */
export interface AttachOptions {
  /** Of its database; null: that of the environment, or of a running `statecron up`. */
  readonly url: string | null;
  /** The nodes that are started behind proxies. */
  readonly proxies: readonly string[];
  /** Jobs that are added for the run; null: none. */
  readonly jobsFile: string | null;
  /** What is done to jobs; none: nothing. */
  readonly operations: readonly OperationKind[];
}

export type FaultCommand =
  | {
      readonly command: 'run';
      readonly options: FaultOptions;
      readonly json: boolean;
      /** Where the board is served, 0: at any port that is free; null: the seed deals. */
      readonly boardPort: number | null;
    }
  | { readonly command: 'replay'; readonly folder: string; readonly json: boolean }
  | { readonly command: 'mark'; readonly url: string | null; readonly database: string }
  | { readonly command: 'unmark'; readonly url: string | null }
  | { readonly command: 'list' }
  | { readonly command: 'help' };

/** Jobs that somebody else made are not removed. */
const attachedOperations = ['edit', 'pause', 'run', 'stop'] as const;

export const faultUsage = `npm run fault -- [options]

  --seed N              what is dealt, and in which order (1)
  --nodes N             how many nodes (3)
  --minutes N           how long faults are dealt; fractions are allowed (5; board: 60)
  --faults all|WORD,…   all kinds, or those that have one of the words; list: tells the kinds (all)
  --engine NAME         ${faultEngines.join(', ')} (mariadb)
  --multi-primary       Group Replication: every member takes writes
  --session-ttl 5s      of the nodes (5s; on group-replication 45s)
  --api PERCENT         operations that go by a node's API, not the database; 0: no API (50)
  --board               a page on this machine alone, on which faults are pressed by hand
  --port N              of the board (any that is free)
  --attach              breaks a cluster of yours, whose nodes are on this host
  --out FOLDER          where history, logs and report are kept (below ${os.tmpdir()})
  --replay FOLDER       judges an old history again and draws it anew
  --json                the verdict as JSON on stdout

A cluster of yours:
  --database-url URL    its database (STATECRON_DATABASE_URL, or that of statecron up)
  --mark DATABASE       marks it as one to break: its jobs are changed and its nodes are killed
  --unmark              ends that, and gives jobs that a killed run left behind their commands back
  --proxies a,b         nodes that are started behind proxies, for the faults of a network
  --jobs FILE           jobs that are added for the run, as of statecron apply
  --operations WORD,…   what is done to jobs: ${attachedOperations.join(', ')}; or none (all)

Ends with 0 when no promise was broken, 1 when one was, 2 when it could not be told, and with 78
where a cluster may not be broken.`;

/** What each command has beside its own option; what it does not have is refused. */
const runOptions = ['seed', 'minutes', 'faults', 'board', 'port', 'out', 'json'];
const optionsOfCommands = {
  mark: ['database-url'],
  unmark: ['database-url'],
  replay: ['json'],
  attach: [...runOptions, 'database-url', 'proxies', 'jobs', 'operations'],
  run: [...runOptions, 'nodes', 'engine', 'multi-primary', 'session-ttl', 'api'],
};

/** @throws Error that says which option is wrong */
export function readFaultOptions(args: readonly string[]): FaultCommand {
  const { tokens, values } = parseArgs({
    args: [...args],
    tokens: true,
    options: {
      seed: { type: 'string', default: '1' },
      nodes: { type: 'string', default: '3' },
      minutes: { type: 'string' },
      faults: { type: 'string', default: 'all' },
      engine: { type: 'string', default: 'mariadb' },
      'multi-primary': { type: 'boolean', default: false },
      'session-ttl': { type: 'string' },
      api: { type: 'string', default: '50' },
      board: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      attach: { type: 'boolean', default: false },
      'database-url': { type: 'string' },
      mark: { type: 'string' },
      unmark: { type: 'boolean', default: false },
      proxies: { type: 'string', default: '' },
      jobs: { type: 'string' },
      operations: { type: 'string', default: 'all' },
      out: { type: 'string' },
      replay: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { command: 'help' };
  if (values.faults === 'list') return { command: 'list' };
  refuseOthers(tokens.flatMap((token) => (token.kind === 'option' ? token.name : [])));
  const url = values['database-url'] ?? null;
  if (values.mark !== undefined) return { command: 'mark', url, database: values.mark };
  if (values.unmark) return { command: 'unmark', url };
  const { board, json, minutes = board ? '60' : '5' } = values;
  if (values.replay !== undefined) {
    return { command: 'replay', folder: path.resolve(values.replay), json };
  }
  const engine = faultEngines.find((name) => name === values.engine);
  if (engine === undefined) throw new Error(`--engine: one of ${faultEngines.join(', ')}`);
  const ttl = values['session-ttl'] ?? (engine === 'group-replication' ? '45s' : '5s');
  const options: FaultOptions = {
    seed: numberOf('--seed', values.seed, 0, 2 ** 32 - 1),
    nodes: numberOf('--nodes', values.nodes, 1, 20),
    minutes: numberOf('--minutes', minutes, 0.1, 24 * 60, false),
    faults: values.faults === 'all' ? [] : wordsOfKinds(values.faults),
    engine,
    ttlMs: 1000 * numberOf('--session-ttl', ttl.replace(/s$/, ''), 2, 3_600, false),
    multiPrimary: values['multi-primary'],
    apiPercent: numberOf('--api', values.api, 0, 100),
    folder: values.out === undefined ? newFolder() : path.resolve(values.out),
    ...(values.attach ? { attach: attachOf(values) } : {}),
  };
  const port = numberOf('--port', values.port, 0, 65_535);
  return { command: 'run', options, json, boardPort: board ? port : null };
}

/** An option that would do nothing is a mistake of whoever gives it. */
function refuseOthers(given: readonly string[]): void {
  const commands = Object.entries(optionsOfCommands);
  const [name, words] = commands.find(([command]) => given.includes(command)) ?? [
    'run',
    optionsOfCommands.run,
  ];
  const other = given.find((word) => word !== name && !words.includes(word));
  if (other === undefined) return;
  const needed = commands.flatMap(([command, has]) => (has.includes(other) ? command : []));
  throw new Error(
    name === 'run'
      ? `--${other}: only with --${needed.join(', --')}`
      : `--${other} does nothing with --${name}`,
  );
}

interface AttachValues {
  readonly 'database-url'?: string | undefined;
  readonly proxies: string;
  readonly jobs?: string | undefined;
  readonly operations: string;
}

function attachOf(values: AttachValues): AttachOptions {
  const { jobs, operations, proxies } = values;
  return {
    url: values['database-url'] ?? null,
    proxies: wordsOf(proxies),
    jobsFile: jobs === undefined ? null : path.resolve(jobs),
    operations: operations === 'none' ? [] : operationsOf(operations),
  };
}

function operationsOf(text: string): OperationKind[] {
  if (text === 'all') return [...attachedOperations];
  return wordsOf(text).map((word) => {
    const kind = attachedOperations.find((each) => each === word);
    if (kind === undefined) throw new Error(`--operations: ${attachedOperations.join(', ')}; none`);
    return kind;
  });
}

const wordsOf = (text: string): string[] => text.split(',').flatMap((word) => word.trim() || []);

function wordsOfKinds(text: string): string[] {
  const words = wordsOf(text);
  const known = faultKinds();
  const unknown = words.find((word) => !known.some(({ kind }) => kind.includes(word)));
  if (unknown === undefined) return words;
  throw new Error(`--faults: no kind has "${unknown}" in it; see --faults list`);
}

function numberOf(name: string, text: string, least: number, most: number, isWhole = true): number {
  const number = Number(text);
  const fits = number >= least && number <= most && (!isWhole || Number.isInteger(number));
  if (!fits) throw new Error(`${name}: a ${isWhole ? 'whole ' : ''}number, ${least} to ${most}`);
  return number;
}

const newFolder = (): string => mkdtempSync(path.join(os.tmpdir(), 'statecron-fault-'));
