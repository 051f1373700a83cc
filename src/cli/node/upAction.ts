import path from 'node:path';
import type { Command } from 'commander';
import { defaultDataDir } from '../../database/data/dataFolder.ts';
import { startPrivateServer } from '../../database/server/startPrivateServer.ts';
import { withLowestFormat } from '../../domain/job/edit/definitionFormat.ts';
import { type JobDefinition, jobDefaults } from '../../domain/job/jobDefinition.ts';
import { counted } from '../../domain/text/counted.ts';
import type { Channel } from '../../store/connection/channel.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import { addJob } from '../../store/jobs/changes/addJob.ts';
import { noteSamples } from '../../store/jobs/changes/noteSamples.ts';
import { makeFirstToken, readFirstTokenId } from '../connect/firstToken.ts';
import { migrateDatabase } from '../connect/migrateDatabase.ts';
import { readDataFolder } from '../connect/readDatabase.ts';
import { withChannel } from '../connect/withChannel.ts';
import { addressOf, type GivenDatabase, readGiven } from '../options/givenDatabase.ts';
import { readHttp } from '../options/httpOptions.ts';
import { checkNodeFlags, type NodeFlags } from '../options/nodeOptions.ts';
import { readOutputs } from '../options/outputOptions.ts';
import { readSending } from '../options/sendingOptions.ts';
import { printNote } from '../output/print.ts';
import { guardNode } from './guardNode.ts';
import { pageTokenVariable } from './pageLink.ts';
import { spoolVariable } from './spoolFolder.ts';

interface UpFlags extends NodeFlags {
  /** The data folder of the private server; undefined: the user's own. */
  readonly data?: string;
}

interface Home {
  readonly address: DatabaseAddress;
  /** What the node gets. */
  readonly given: GivenDatabase;
  /** Where the node's results wait while the database is away; null: where any node's do. */
  readonly spool: string | null;
  stop(): Promise<void>;
}

/**
 * Database, schema and one node in a command: what is missing is made, what is there is found
 * again. Ends like the node; the private server is stopped after it. Resolves to the exit code.
 */
export async function upAction(flags: UpFlags, command: Command): Promise<number> {
  checkNodeFlags(flags);
  readSending(flags);
  readHttp(flags);
  readOutputs(flags);
  const given = readGiven(flags);
  const dataFolder = flags.data ?? readDataFolder() ?? defaultDataDir();
  const gaveUp = new AbortController();
  const giveUp = (): void => gaveUp.abort();
  process.on('SIGINT', giveUp);
  process.on('SIGTERM', giveUp);
  try {
    const home = await openHome(given, dataFolder, gaveUp.signal);
    try {
      const pageToken = await prepare(home.address, dataFolder);
      if (gaveUp.signal.aborted) return interruptedExitCode;
      printNote(
        'A node starts. Ctrl-C drains it and ends all. Each run is shown when it has ended:',
      );
      printNote(
        "its scheduled time in the job's zone, how it ended, the first line that it wrote.",
      );
      const page = { [pageTokenVariable]: pageToken ?? '' };
      const env = { ...process.env, ...environmentOf(home), ...page };
      const args = ['node', '--show-runs', ...nodeArgsOf(command)];
      const readAgain = async () => readGiven(flags);
      return await guardNode(args, env, 'restart', { given: home.given, readAgain });
    } finally {
      await home.stop();
    }
  } catch (error) {
    if (gaveUp.signal.aborted) return interruptedExitCode;
    throw error;
  } finally {
    process.off('SIGINT', giveUp);
    process.off('SIGTERM', giveUp);
  }
}

const interruptedExitCode = 130;

async function openHome(
  given: GivenDatabase | null,
  dataDir: string,
  signal: AbortSignal,
): Promise<Home> {
  if (given !== null) {
    const address = addressOf(given);
    printNote(`Database: ${address.shown} (given)`);
    return { address, given, spool: null, stop: async () => undefined };
  }
  const server = await startPrivateServer({ dataDir, report: printNote, signal });
  printNote(`Database: ${server.chosen}`);
  printNote(`Data:     ${server.dataDir}`);
  printNote(`Connect:  STATECRON_DATABASE_URL='${server.shownUrl}'`);
  printNote(`          STATECRON_DATABASE_PASSWORD_FILE='${server.passwordFile}'`);
  const stop = async (): Promise<void> => {
    await server.stop();
    printNote('The database is stopped. Everything is kept for the next start.');
  };
  const spool = path.join(server.dataDir, 'spool');
  const home = { url: server.url, password: null };
  return { address: addressOf(home), given: home, spool, stop };
}

/** Resolves to the id of the token whose rights the page's link gives; null: there is none. */
async function prepare(address: DatabaseAddress, dataFolder: string): Promise<string | null> {
  const { applied } = await migrateDatabase(address);
  if (applied.length > 0)
    printNote(`Schema:   brought up to date (${counted(applied.length, 'migration')})`);
  const tokenFile = await makeFirstToken(address, path.resolve(dataFolder));
  if (tokenFile !== null) printNote(`Token:    in ${tokenFile}, for everything that the API does`);
  const added = await withChannel(address, addSampleJobs);
  if (added.length > 0) {
    printNote(`Samples:  ${added.join(', ')}`);
    printNote(`          (remove all of them: statecron job remove --tag ${sampleTag})`);
  }
  return readFirstTokenId(address, path.resolve(dataFolder));
}

/** The node's spool is where its database is, unless another is given. */
function environmentOf({ spool }: Home): NodeJS.ProcessEnv {
  const given = process.env[spoolVariable];
  return spool === null || (given !== undefined && given !== '') ? {} : { [spoolVariable]: spool };
}

/** The flags that were given on the command line, as the node gets them. */
function nodeArgsOf(up: Command): string[] {
  const given = up.options.filter((option) => {
    const name = option.attributeName();
    return name !== 'data' && up.getOptionValueSource(name) === 'cli';
  });
  return given.flatMap((option) => {
    const value = up.getOptionValue(option.attributeName()) as unknown;
    if (value === true) return option.long === '--show-runs' ? [] : [`${option.long}`];
    // Durations were read as milliseconds.
    const isDuration = option.flags.includes('<duration>');
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((each) => [`${option.long}`, `${each}${isDuration ? 'ms' : ''}`]);
  });
}

const sampleTag = 'sample';

/** What a new database of `statecron up` gets, so that something visibly runs within seconds. */
const samples: readonly Pick<JobDefinition, 'name' | 'schedule' | 'command'>[] = [
  {
    name: 'sample-hello',
    schedule: '*/10 * * * * *',
    command: 'echo "hello from $STATECRON_NODE at $(date +%T.%3N)"',
  },
  {
    name: 'sample-load',
    schedule: '*/30 * * * * *',
    command: 'cut -d" " -f1-3 /proc/loadavg',
  },
  {
    name: 'sample-fails',
    schedule: '0 * * * * *',
    command: 'echo "this sample fails once a minute, to show what that looks like"; exit 3',
  },
];

/**
 * Adds the sample jobs to a database that never had them; a note in the database remembers it, so
 * that removed ones never come back. Resolves to the names that were added.
 */
async function addSampleJobs(channel: Channel): Promise<string[]> {
  if (!(await noteSamples(channel))) return [];
  for (const sample of samples) {
    await addJob(channel, withLowestFormat({ ...jobDefaults, ...sample, tags: [sampleTag] }));
  }
  return samples.map(({ name }) => name);
}
