import { availableParallelism, hostname } from 'node:os';
import type { Command } from 'commander';
import { cleanPeriodMsMin, historyDefaults } from '../../domain/commit/historyKeep.ts';
import { checkLabels, checkUserName } from '../../domain/job/fieldTable/checkNames.ts';
import { keepBounds } from '../../domain/job/fieldTable/orderFields.ts';
import { besideLevel } from '../../domain/targeting/mayTake.ts';
import { plainNode } from '../../domain/targeting/nodeFacts.ts';
import { usageFault } from '../output/reportFault.ts';
import type { DatabaseOptions } from './clusterOptions.ts';
import { type HttpFlags, httpOptions } from './httpOptions.ts';
import {
  addOptions,
  choice,
  custom,
  duration,
  type FlagsOf,
  list,
  nodeFault,
  number,
  toggle,
} from './optionTable.ts';
import { type OutputFlags, outputOptions } from './outputOptions.ts';
import { proxyOptions } from './proxyOptions.ts';
import { readNumber } from './readOptions.ts';
import { type SendingFlags, sendingOptions } from './sendingOptions.ts';

const dayMs = 24 * 3_600_000;
const days = [1, keepBounds.daysMax] as const;

const nodeOptions = {
  keepDays: number(
    'how many days history is kept, unless the job says otherwise',
    days,
    historyDefaults.days,
  ),
  keepRuns: number(
    'how many history rows of a job are kept, unless it says otherwise',
    [1, keepBounds.runsMax],
    historyDefaults.runs,
  ),
  keepOutputDays: number(
    'how many days outputs are kept; their runs stay',
    days,
    historyDefaults.outputDays,
  ),
  cleanPeriod: duration(
    'how long after one cleaning of the history the next begins',
    [cleanPeriodMsMin, 7 * dayMs],
    historyDefaults.periodMs,
  ),
  name: custom('name', "the node's name, which no other live node has (the host's name)"),
  capacity: number('how many launches it holds at most, waiting or executing', [1, 100_000], 2_000),
  concurrency: number('how many children execute at once', [1, 10_000], 32),
  level: custom(
    'number',
    'rank: 1 takes the work while it lives, then 2 …; 0 takes none, ' +
      '-1 runs every tick itself as well',
    (given) => (given === `${besideLevel}` ? besideLevel : readNumber(0, 1_000)(given)),
    plainNode.level,
  ),
  label: list('name[=value]', 'a label that jobs may require; may be repeated'),
  allowUser: list('name', 'a user that jobs may run as, as root; repeatable'),
  horizon: duration('how far it claims ahead', [1_000, 3_600_000], 30_000),
  sessionTtl: duration(
    'how long after its last renewal others take over from it',
    [2_000, 3_600_000],
    45_000,
  ),
  drainTimeout: duration('how long runs may go on when it has to end', [0, dayMs], 30_000),
  spool: custom(
    'folder',
    'where results wait while the database is away (STATECRON_SPOOL, ' +
      '~/.local/state/statecron/spool; of statecron up: in --data)',
  ),
  // One thread starts about a thousand children a second; each has a launcher of 6 MB.
  threads: number(
    'worker threads that start children',
    [1, 64],
    Math.min(4, Math.ceil(availableParallelism() / 4)),
  ),
  onFenced: choice('when it loses its session: start anew, or end with 75', ['restart', 'exit']),
  showRuns: toggle('print a line per run'),
};

/** The flags of a node, as commander read them: durations in milliseconds. */
export type NodeFlags = DatabaseOptions &
  HttpFlags &
  SendingFlags &
  OutputFlags &
  FlagsOf<typeof nodeOptions>;

/** Adds the flags that `node` and `up` share. */
export function addNodeOptions(command: Command): Command {
  addOptions(addOptions(command, nodeOptions), httpOptions, 'API and page:');
  addOptions(command, sendingOptions, 'Notifications:');
  addOptions(command, proxyOptions, 'Behind a proxy:');
  return addOptions(command, outputOptions, 'Whole outputs:');
}

const nameCharactersMax = 64;

/**
 * Checks the flags that commander could not check alone, and fills the name in.
 * @throws OperatorError (2) that names the flag.
 */
export function checkNodeFlags(flags: NodeFlags): { readonly nodeName: string } {
  const nodeName = flags.name ?? hostname().slice(0, nameCharactersMax);
  const { length } = [...nodeName];
  if (length === 0 || length > nameCharactersMax || /[\p{Cc}\p{Surrogate}]/u.test(nodeName)) {
    throw nodeFault(`--name: 1 to ${nameCharactersMax} characters, no control characters.`);
  }
  const labelFault = checkLabels(flags.label ?? []);
  if (labelFault !== null) throw nodeFault(`--label: ${labelFault}.`);
  for (const user of flags.allowUser ?? []) {
    const userFault = checkUserName(user);
    if (userFault !== null) throw nodeFault(`--allow-user: ${userFault}.`);
  }
  if (flags.concurrency > flags.capacity) {
    throw usageFault(
      `--concurrency ${flags.concurrency} is more than --capacity ${flags.capacity}.`,
      'What executes counts as capacity: raise --capacity.',
    );
  }
  return { nodeName };
}
