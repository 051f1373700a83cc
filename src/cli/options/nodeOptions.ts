import { availableParallelism, hostname } from 'node:os';
import { type Command, Option } from 'commander';
import { cleanPeriodMsMin, historyDefaults } from '../../domain/commit/historyKeep.ts';
import { checkLabels, checkUserName } from '../../domain/job/fieldTable/checkNames.ts';
import { keepBounds } from '../../domain/job/fieldTable/orderFields.ts';
import { besideLevel } from '../../domain/targeting/mayTake.ts';
import { plainNode } from '../../domain/targeting/nodeFacts.ts';
import { usageFault } from '../output/reportFault.ts';
import type { DatabaseOptions } from './databaseOptions.ts';
import { addHttpOptions, type HttpFlags } from './httpOptions.ts';
import { collect, durationOption, readNumber } from './readOptions.ts';
import { addSendingOptions, type SendingFlags } from './sendingOptions.ts';

/** The flags of a node, as commander read them: durations in milliseconds. */
export interface NodeFlags extends DatabaseOptions, HttpFlags, SendingFlags {
  readonly name?: string;
  readonly capacity: number;
  readonly concurrency: number;
  readonly level: number;
  readonly label?: readonly string[];
  readonly horizon: number;
  readonly sessionTtl: number;
  readonly drainTimeout: number;
  readonly threads: number;
  readonly onFenced: 'restart' | 'exit';
  readonly allowUser?: readonly string[];
  readonly keepDays: number;
  readonly keepRuns: number;
  readonly keepOutputDays: number;
  readonly cleanPeriod: number;
  readonly spool?: string;
  readonly showRuns?: boolean;
}

const nameCharactersMax = 64;
const capacityMax = 100_000;
const concurrencyMax = 10_000;
const levelMax = 1_000;

/** Adds the flags that `node` and `up` share. */
export function addNodeOptions(command: Command): Command {
  // One thread starts about a thousand children a second; each has a launcher of 6 MB.
  const threads = Math.min(4, Math.ceil(availableParallelism() / 4));
  return addHistoryOptions(addSendingOptions(addHttpOptions(command)))
    .option('--name <name>', "the node's name, one live node each (the host's name)")
    .option(
      '--capacity <number>',
      'how many launches it holds at most, waiting or executing',
      readNumber(1, capacityMax),
      2_000,
    )
    .option(
      '--concurrency <number>',
      'how many children execute at once',
      readNumber(1, concurrencyMax),
      32,
    )
    .option(
      '--level <number>',
      'rank: 1 takes the work while it lives, then 2 …; 0 takes none, ' +
        '-1 runs every tick itself as well',
      readLevel,
      plainNode.level,
    )
    .option('--label <name[=value]>', 'a label that jobs may ask for; may be repeated', collect)
    .option('--allow-user <name>', 'a user that jobs may run as, as root; repeatable', collect)
    .addOption(durationOption('--horizon <duration>', 'how far it claims ahead', 30_000))
    .addOption(durationOption('--session-ttl <duration>', 'when others take over from it', 45_000))
    .addOption(
      durationOption(
        '--drain-timeout <duration>',
        'how long runs may go on when it is asked to end',
        30_000,
      ),
    )
    .option(
      '--spool <folder>',
      'where results wait while the database is away (STATECRON_SPOOL, ~/.local/state)',
    )
    .option('--threads <number>', 'worker threads that start children', readNumber(1, 64), threads)
    .addOption(
      new Option('--on-fenced <what>', 'when it loses its session: start anew, or end with 75')
        .choices(['restart', 'exit'])
        .default('restart'),
    )
    .addOption(new Option('--show-runs', 'print a line per run'));
}

/** What is kept of the history, of jobs that say nothing else, and how often it is cleaned. */
function addHistoryOptions(command: Command): Command {
  return command
    .option(
      '--keep-days <number>',
      'how long history is kept of jobs that say nothing else',
      readNumber(1, keepBounds.daysMax),
      historyDefaults.days,
    )
    .option(
      '--keep-runs <number>',
      'how many history rows are kept of each such job',
      readNumber(1, keepBounds.runsMax),
      historyDefaults.runs,
    )
    .option(
      '--keep-output-days <number>',
      'how long outputs are kept; their runs stay',
      readNumber(1, keepBounds.daysMax),
      historyDefaults.outputDays,
    )
    .addOption(
      durationOption(
        '--clean-period <duration>',
        'how long after one cleaning of the history the next begins',
        historyDefaults.periodMs,
      ),
    );
}

/**
 * Checks what flags mean together and fills the name in.
 * @throws OperatorError (2) that names the flag.
 */
export function checkNodeFlags(flags: NodeFlags): { readonly nodeName: string } {
  const given = flags.name ?? hostname().slice(0, nameCharactersMax);
  if (
    given === '' ||
    [...given].length > nameCharactersMax ||
    /[\p{Cc}\p{Surrogate}]/u.test(given)
  ) {
    throw usageFault(`--name: 1 to ${nameCharactersMax} characters, no control characters.`, see);
  }
  const labelFault = checkLabels(flags.label ?? []);
  if (labelFault !== null) throw usageFault(`--label: ${labelFault}.`, see);
  for (const user of flags.allowUser ?? []) {
    const userFault = checkUserName(user);
    if (userFault !== null) throw usageFault(`--allow-user: ${userFault}.`, see);
  }
  between('--session-ttl', flags.sessionTtl, 2_000, 3_600_000);
  between('--horizon', flags.horizon, 1_000, 3_600_000);
  between('--drain-timeout', flags.drainTimeout, 0, 24 * 3_600_000);
  between('--clean-period', flags.cleanPeriod, cleanPeriodMsMin, 7 * 24 * 3_600_000);
  if (flags.concurrency > flags.capacity) {
    throw usageFault(
      `--concurrency ${flags.concurrency} is more than --capacity ${flags.capacity}.`,
      'What executes counts as capacity: raise --capacity.',
    );
  }
  return { nodeName: given };
}

function readLevel(text: string): number {
  if (text === `${besideLevel}`) return besideLevel;
  return readNumber(0, levelMax)(text);
}

function between(flag: string, valueMs: number, leastMs: number, mostMs: number): void {
  if (valueMs >= leastMs && valueMs <= mostMs) return;
  throw usageFault(`${flag}: ${leastMs / 1000}s to ${mostMs / 1000}s are allowed.`, see);
}

const see = 'See: statecron node --help';
