import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { pino } from 'pino';
import type { NodeSettings } from '../../actors/runtime/runtime.ts';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { GuardianLink } from '../../exec/guardian/guardianLink.ts';
import { LauncherLostError } from '../../exec/lease/launcherLostError.ts';
import type { SenderSettings } from '../../exec/notifications/notificationSender.ts';
import { openSessionRecords } from '../../exec/session/sessionRecords.ts';
import type { HttpSettings } from '../../http/server/httpSettings.ts';
import { type NodeEnding, startNode } from '../../startNode.ts';
import type { Channel } from '../../store/connection/channel.ts';
import { type DatabaseAddress, renewAccess } from '../../store/connection/databaseAddress.ts';
import { boundsOfTtl } from '../../store/openNodeStore.ts';
import { mayUseSchema } from '../../store/schema/migrate.ts';
import { packageVersion } from '../connect/packageFolder.ts';
import { readSchema } from '../connect/readSchema.ts';
import { withChannel } from '../connect/withChannel.ts';
import { safeLine } from '../output/escapeControls.ts';
import { makeNodeReports } from '../output/nodeReports.ts';
import { printNote } from '../output/print.ts';
import { reportFault } from '../output/reportFault.ts';
import { openApiListener } from './openApiListener.ts';
import { tuneHeap } from './tuneHeap.ts';

/** The options of `statecron node`, read and checked. */
interface RunNodeOptions {
  readonly database: DatabaseAddress;
  readonly nodeName: string;
  readonly level: number;
  readonly labels: readonly string[];
  /** Users that jobs may run as here, when this is root. */
  readonly allowedUsers: readonly string[];
  readonly settings: NodeSettings;
  /** Where its API listens; null: it has none. */
  readonly http: HttpSettings | null;
  /** How it sends notifications. */
  readonly sending: SenderSettings;
  readonly threads: number;
  /** Where results wait while the database is away. */
  readonly spoolFolder: string;
  /** Print a line per run on stdout. */
  readonly showRuns: boolean;
  /** Reads again, from what the guardian hands over, how it gets into database and mail server. */
  readonly readAgain: (handed: string) => Pick<RunNodeOptions, 'database' | 'sending'>;
}

const databaseWaitMs = 1_000;

/** Runs a node under the guardian that it is linked to; resolves to the process's exit code. */
export async function runNode(options: RunNodeOptions, link: GuardianLink): Promise<number> {
  process.title = 'statecron node';
  tuneHeap();
  const log = makeLog();
  try {
    const endedSessions = await link.endedSessions;
    let isGuarded = true;
    link.onLost(() => {
      isGuarded = false;
    });
    // Before any statement: the database may be away, and what is left lives meanwhile.
    const records = openSessionRecords(options.spoolFolder, (line) => log.warn(line));
    await records.sweep();
    await requireSchema(options, log, () => endedSessions.length > 0 && isGuarded);
    const http = await openApiListener(options, endedSessions.length > 0, log);
    const node = startNode({
      ...options,
      http,
      records,
      version: packageVersion(),
      reports: makeNodeReports(log, options),
      guardian: {
        fd: link.fd,
        processId: process.ppid,
        endedSessions,
        announceSession: link.announce,
        deadline: link.deadline,
        onLost: link.onLost,
      },
    });
    link.onHandedOver((handed) => reload(options, handed, log));
    // The guardian is whom it is for; without a handler it would end this process.
    process.on('SIGHUP', () => undefined);
    process.on('SIGTERM', node.drain);
    process.on('SIGINT', node.drain);
    const ending = await node.ended;
    const exitCode = await exitCodeOf(ending, log, () => link.bye());
    // What must not go on does not wait for its connections and threads either.
    if (ending.ending !== 'left') process.exit(exitCode);
    return exitCode;
  } catch (error) {
    link.bye();
    return reportFault(error, false);
  }
}

/** A SIGHUP has come to the guardian. What cannot be used leaves everything as it was. */
function reload(options: RunNodeOptions, handed: string, log: Logger): void {
  try {
    const { database, sending } = options.readAgain(handed);
    renewAccess(options.database, database);
    options.sending.mailServer = sending.mailServer;
    log.info('reloaded the settings of database and mail server');
  } catch (error) {
    const why = (error as Error).message;
    log.error(`the reload failed, and the earlier settings stay in use: ${why}`);
  }
}

/**
 * After a clean end, and one that an operator must act on, `bye` lets the guardian end too. Without
 * it (fenced, or something broke) the guardian starts the next process; a lost launcher is reported
 * all the same.
 */
async function exitCodeOf(ending: NodeEnding, log: Logger, bye: () => void): Promise<number> {
  if (ending.ending === 'left') {
    log.info('the node has left');
    bye();
    return exitCodes.ok;
  }
  if (ending.error instanceof OperatorError) {
    if (!(ending.error instanceof LauncherLostError)) bye();
    return reportFault(ending.error, false);
  }
  if (ending.ending === 'fenced') {
    log.error('the session was lost: this process is fenced and ends');
    return exitCodes.tryAgain;
  }
  return reportFault(ending.error ?? new Error('an actor of the node has ended'), false);
}

/**
 * A node does not migrate: it refuses a schema that is older than itself, or newer and not for it.
 * One that the guardian started again waits for a database that is away, as long as it has it.
 */
async function requireSchema(
  options: RunNodeOptions,
  log: Logger,
  mayWait: () => boolean,
): Promise<void> {
  for (;;) {
    try {
      const check = (channel: Channel) => checkSchema(channel, log);
      return await withChannel(options.database, check, 'schema', boundsOfTtl(45_000));
    } catch (error) {
      if (error instanceof OperatorError || !mayWait()) throw error;
      log.warn(`the database is away: ${(error as Error).message}`);
      await sleep(databaseWaitMs);
    }
  }
}

async function checkSchema(channel: Channel, log: Logger): Promise<void> {
  const { missing, unknown } = await readSchema(channel);
  if (missing.length > 0) throw schemaFault('older', missing, 'Run: statecron migrate');
  if (unknown.length === 0) return;
  if (await mayUseSchema(channel, packageVersion())) {
    log.info(`the schema has what this version does not know: ${unknown.join(', ')}`);
    return;
  }
  const hint = 'Install the version of statecron that the other nodes run, or a later one.';
  throw schemaFault('newer', unknown, hint);
}

function schemaFault(how: 'older' | 'newer', names: string[], hint: string): OperatorError {
  return new OperatorError({
    code: `schema_${how}`,
    message: `The schema of the database is ${how} than this version: ${names.join(', ')}.`,
    hint,
    exitCode: exitCodes.configuration,
  });
}

/** Lines for people on a terminal, JSON for programs; always on stderr. */
function makeLog(): Logger {
  if (!process.stderr.isTTY) {
    const stderr = pino.destination({ fd: 2, sync: true });
    // Whoever reads the log does so on a terminal, in the end.
    return pino({ base: null }, { write: (line) => stderr.write(safeLine(line)) });
  }
  const say = {
    write: (line: string) => {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string };
      printNote(level >= 40 ? `! ${msg}` : msg);
    },
  };
  return pino({ base: null }, say);
}
