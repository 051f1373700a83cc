import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { GuardianLink } from '../../exec/guardian/guardianLink.ts';
import { GuardianLostError } from '../../exec/guardian/guardianLostError.ts';
import { LauncherLostError } from '../../exec/lease/launcherLostError.ts';
import { openSessionRecords } from '../../exec/session/sessionRecords.ts';
import type { ApiServerOptions } from '../../http/apiServer.ts';
import type { HttpSettings } from '../../http/server/httpSettings.ts';
import { keepListening } from '../../http/server/keepListening.ts';
import { type NodeEnding, type NodeOptions, startNode } from '../../startNode.ts';
import { renewAccess } from '../../store/connection/databaseAddress.ts';
import { boundsOfTtl } from '../../store/openNodeStore.ts';
import { hasToken } from '../../store/tokens/listTokens.ts';
import { packageVersion } from '../connect/packageVersion.ts';
import { withChannel } from '../connect/withChannel.ts';
import { requireOutputs } from '../options/outputOptions.ts';
import { readUsers } from '../options/readUsers.ts';
import { type NodeLog, nodeLog } from '../output/nodeLog.ts';
import { makeNodeReports } from '../output/nodeReports.ts';
import { reportFault } from '../output/reportFault.ts';
import { makePageLink } from './pageLink.ts';
import { requireSchema } from './requireSchema.ts';
import { tuneHeap } from './tuneHeap.ts';

type Place = 'nodeName' | 'level' | 'labels' | 'allowedUsers' | 'outputs';
type Given = Place | 'database' | 'settings' | 'sending';

/** The options of `statecron node`, read and checked. */
interface RunNodeOptions extends Required<Pick<NodeOptions, Given | 'threads'>> {
  /** Where its API listens; null: it has none. */
  readonly http: HttpSettings | null;
  /** Where results wait while the database is away. */
  readonly spoolFolder: string;
  /** Those that the guardian was given, as `databaseFlags` has them. */
  readonly flags: string;
  /** Print a line per run on stdout. */
  readonly showRuns: boolean;
  /** Reads again, from what the guardian hands over, how it gets into database and mail server. */
  readonly readAgain: (handed: string) => Pick<RunNodeOptions, 'database' | 'flags' | 'sending'>;
}

/** Runs a node under the guardian that it is linked to; resolves to the process's exit code. */
export async function runNode(options: RunNodeOptions, link: GuardianLink): Promise<number> {
  process.title = 'statecron node';
  tuneHeap();
  const log = nodeLog;
  try {
    const endedSessions = await link.endedSessions;
    let isGuarded = true;
    link.onLost(() => {
      isGuarded = false;
    });
    // Before any statement: the database may be away, and what is left lives meanwhile.
    const records = openSessionRecords(options.spoolFolder, (line) => log.warn(line));
    await records.sweep();
    for (const warning of warnOfUsers(options.allowedUsers)) log.warn(warning);
    await requireOutputs(options.outputs);
    await requireSchema(options.database, log, () => endedSessions.length > 0 && isGuarded);
    const http = await openApiListener(options, endedSessions.length > 0, log);
    const node = startNode({
      ...options,
      makeApi: http && (await apiMaker(http)),
      records,
      version: packageVersion(),
      reports: makeNodeReports(log, options),
      guardian: {
        fd: link.fd,
        processId: process.ppid,
        endedSessions,
        announceSession: link.announce,
        deadline: link.deadline,
        renewalFailed: link.renewalFailed,
        onLost: link.onLost,
      },
    });
    link.onHandedOver((handed) => reload(options, handed, http, log));
    // It is for the guardian; without a handler it would end this process.
    process.on('SIGHUP', () => undefined);
    process.on('SIGTERM', node.drain);
    process.on('SIGINT', node.drain);
    const ending = await node.ended;
    const exitCode = await exitCodeOf(ending, log, link, options.flags);
    // What must not go on does not wait for its connections and threads either.
    if (ending.ending !== 'left') process.exit(exitCode);
    return exitCode;
  } catch (error) {
    link.bye();
    return reportFault(error, false, options.flags);
  }
}

/** A SIGHUP has come to the guardian. What cannot be used leaves everything as it was. */
function reload(
  options: RunNodeOptions,
  handed: string,
  http: ApiServerOptions | null,
  log: NodeLog,
): void {
  try {
    const { database, sending } = options.readAgain(handed);
    http?.listener.renew();
    renewAccess(options.database, database);
    options.sending.mailServer = sending.mailServer;
    log.info('reloaded the settings of database and mail server, and certificates');
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
async function exitCodeOf(
  ending: NodeEnding,
  log: NodeLog,
  link: GuardianLink,
  flags: string,
): Promise<number> {
  if (ending.ending === 'left') {
    log.info('the node has left');
    link.bye();
    return exitCodes.ok;
  }
  if (ending.error instanceof OperatorError) {
    if (ending.error instanceof LauncherLostError) link.reportWhy(ending.error.message);
    else link.bye();
    if (ending.error instanceof GuardianLostError) {
      log.error(`${ending.error.message} ${ending.error.hint}`);
      return ending.error.exitCode;
    }
    return reportFault(ending.error, false, flags);
  }
  if (ending.fence !== undefined) {
    const { hint, runs, why } = ending.fence;
    link.reportWhy(why);
    const under = runs === 1 ? 'its run is' : `its ${runs} runs are`;
    log.error(`this node has lost its session and ends, ${under} ended: ${why}. ${hint}`.trim());
    return exitCodes.tryAgain;
  }
  const error = ending.error ?? new Error('an actor of the node has ended');
  link.reportWhy(`the process of its node failed: ${(error as Error).message}`);
  return reportFault(error, false);
}

/** Users whose jobs cannot start here, whatever was allowed. */
function warnOfUsers(allowed: readonly string[]): string[] {
  if (allowed.length === 0) return [];
  if (process.getuid?.() !== 0) {
    return [
      '--allow-user does nothing: this node is not root, which alone can become another user',
    ];
  }
  const here = readUsers();
  return allowed
    .filter((user) => !here.has(user))
    .map((user) => `--allow-user ${user}: /etc/passwd has no such user`);
}

async function apiMaker(options: ApiServerOptions): Promise<Required<NodeOptions>['makeApi']> {
  const { makeApiServer } = await import('../../http/apiServer.ts');
  return (database, reports) => makeApiServer(options, database, reports);
}

const retryMs = 5_000;

/**
 * Begins to listen for a node's API, before the node joins: an address that can never be had is an
 * error while nothing runs yet. Anything else costs a warning, and is tried again: the node works
 * without its API meanwhile. So does one that the guardian has started again, whatever the reason.
 * Null: there is to be none.
 */
async function openApiListener(
  { database, http: settings }: RunNodeOptions,
  isRestarted: boolean,
  log: NodeLog,
): Promise<ApiServerOptions | null> {
  if (settings === null) return null;
  // A third of a node's start: it is over before anybody is told where to come.
  await import('../../http/apiServer.ts');
  const page = makePageLink();
  const reports = {
    listens: (url: string) => {
      log.info(`the API listens on ${url}`);
      const line = page.lineOf(url);
      if (line !== null) log.info(line);
    },
    cannot: (error: Error) => {
      const meanwhile = `The node works without it; it is tried again every ${retryMs / 1000} s.`;
      // The hint comes last: one that ends with a command has no full stop to be copied with it.
      const hint = error instanceof OperatorError ? ` ${error.hint}` : '';
      log.warn(`${error.message} ${meanwhile}${hint}`);
    },
  };
  const patience = { retryMs, isForAnything: isRestarted };
  // Whom a proxy lets in needs no token.
  const isTokenThere = async () =>
    settings.proxy?.people != null ||
    withChannel(database, hasToken, 'tokens', boundsOfTtl(45_000));
  const listener = await keepListening(settings, isTokenThere, reports, patience);
  return { settings, listener, oneTime: page.oneTime };
}
