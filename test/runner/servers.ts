import { OperatorError } from '../../src/domain/errors/errors.ts';
import type { Part } from '../support/enginesNow.ts';
import { NotHereError } from '../support/fetchMysql.ts';
import type { TestServer } from '../support/startTestServer.ts';
import { serverVariables, startTestServer } from '../support/startTestServer.ts';

/** The servers that a whole run shares. */
export interface RunServers {
  /** What tells the test files of them. */
  env: NodeJS.ProcessEnv;
  /** What cannot be had here. */
  missing: string[];
  stop(): Promise<void>;
}

/** Starts MariaDB and, unless the run is short, a real MySQL, which is fetched the first time. */
export async function startServers(part: Part): Promise<RunServers> {
  const [mariadb, mysql] = await Promise.allSettled([
    startTestServer('mariadb'),
    part === 'short' ? undefined : startTestServer('mysql'),
  ]);
  const servers = [mariadb, mysql].flatMap((s) =>
    s.status === 'fulfilled' ? (s.value ?? []) : [],
  );
  const stop = async () => {
    await Promise.all(servers.map((server: TestServer) => server.stop()));
  };
  const env: NodeJS.ProcessEnv = {};
  const missing: string[] = [];
  if (mariadb.status === 'rejected') {
    await stop();
    throw mariadb.reason;
  }
  env[serverVariables.mariadb] = mariadb.value.url;
  if (mysql.status === 'fulfilled') {
    if (mysql.value !== undefined) env[serverVariables.mysql] = mysql.value.url;
  } else if (mysql.reason instanceof NotHereError) {
    missing.push(mysql.reason.message);
    env.STATECRON_TEST_MYSQL_MISSING = mysql.reason.message;
  } else {
    await stop();
    throw mysql.reason;
  }
  return { env, missing, stop };
}

/** For people: what an error says, with its hint. */
export function describeError(error: unknown): string {
  if (error instanceof OperatorError) return `${error.message}\n${error.hint}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
