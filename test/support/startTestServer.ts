import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startPrivateServer } from '../../src/database/startPrivateServer.ts';
import { fetchMysql } from './fetchMysql.ts';

/** The two families that every statement must run on. */
export type Engine = 'mariadb' | 'mysql';

/** A server for tests, with its data in a temporary folder and the server's default durability. */
export interface TestServer {
  url: string;
  version: string;
  stop(): Promise<void>;
}

/** The variables by which a whole test run shares one server of each family. */
export const serverVariables = {
  mariadb: 'STATECRON_TEST_URL',
  mysql: 'STATECRON_TEST_MYSQL_URL',
} as const satisfies Record<Engine, string>;

/** Downloaded engines are kept here, outside of the checkout, so that they are fetched once. */
export function engineCache(): string {
  const { XDG_CACHE_HOME } = process.env;
  const base =
    XDG_CACHE_HOME !== undefined && path.isAbsolute(XDG_CACHE_HOME)
      ? XDG_CACHE_HOME
      : path.join(os.homedir(), '.cache');
  return path.join(base, 'statecron-test');
}

/** Starts a server; it never outlives this process, even when that is killed with SIGKILL. */
export async function startTestServer(engine: Engine = 'mariadb'): Promise<TestServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `statecron-test-${engine}-`));
  const report = (line: string) => process.env.STATECRON_TEST_VERBOSE && console.error(line);
  const watcher = endWithUs(folder);
  const cleanUp = async () => {
    await watcher.dismiss();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const server = await startPrivateServer({
      dataDir: path.join(folder, 'd'),
      report,
      ...(engine === 'mysql'
        ? { engineDir: await fetchMysql(engineCache(), report), searchPath: [] }
        : { engineDir: path.join(engineCache(), 'mariadb') }),
    });
    return {
      url: server.url,
      version: `${server.flavour} ${server.version}`,
      async stop() {
        await server.stop();
        await cleanUp();
      },
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

/**
 * A shell that reads from us. At the end of file we are gone, and it ends the server, which is
 * whatever runs on the folder, as that may have been started anew in the meantime.
 */
function endWithUs(folder: string): { dismiss(): Promise<void> } {
  const child = spawn('sh', ['-c', endScript, 'sh', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  return {
    async dismiss() {
      const ended = once(child, 'exit');
      // Else nothing would keep a test process alive that has done everything else.
      child.ref();
      child.stdin.end('dismissed\n');
      await ended;
    },
  };
}

const endScript = `read -r line && exit
for process in /proc/[0-9]*; do
  tr '\\0' '\\n' <"$process/cmdline" 2>/dev/null | grep -qxF -e "--datadir=$1/d/data" &&
    kill -9 "\${process#/proc/}"
done
rm -rf "$1"`;
