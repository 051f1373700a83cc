import { mkdtemp, rename, rm } from 'node:fs/promises';
import { findSqlFile, type ServerBinary } from '../system/findServers.ts';
import { runCommand } from '../system/runCommand.ts';
import type { DataFolder } from './dataFolder.ts';

const initialiseMsMax = 5 * 60_000;

/**
 * Makes the server's data folder, which appears complete or not at all. root@localhost has no
 * password yet (`connectPrivate` gives it one): only this user reaches the socket.
 * @returns undefined when it is done, else the server's own words of why not.
 */
export async function initialiseData(
  folder: DataFolder,
  server: ServerBinary,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const half = await mkdtemp(`${folder.data}.part-`);
  try {
    const result = await runCommand({
      command: [
        ...server.command,
        ...baseArgs(folder, server, half),
        ...(server.flavour === 'mariadb' ? bootstrapArgs(server) : ['--initialize-insecure']),
      ],
      env: serverEnvironment(server),
      timeoutMs: initialiseMsMax,
      signal,
      ...(server.flavour === 'mariadb' ? { input: await systemTables(server) } : {}),
    });
    if (result.exitCode !== 0) return result.tail || 'it says nothing';
    await rename(half, folder.data);
    return undefined;
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

/** What a server sees of our environment: no secrets, no LD_PRELOAD, none of its own settings. */
export function serverEnvironment(server: ServerBinary): NodeJS.ProcessEnv {
  const { PATH, HOME, TZ } = process.env;
  return { PATH, HOME, ...(TZ === undefined ? {} : { TZ }), LC_ALL: 'C', ...server.env };
}

/** What each start of a server is given, be it to make the data or to serve it. */
export function baseArgs(folder: DataFolder, server: ServerBinary, dataDir: string): string[] {
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const folders = [`--datadir=${dataDir}`, `--tmpdir=${folder.temporary}`];
  return ['--no-defaults', ...server.folderArgs, ...user, ...folders];
}

/** The arguments that mariadb-install-db gives; it is a shell script around these. */
function bootstrapArgs(server: ServerBinary): string[] {
  return [
    '--bootstrap',
    `--lc-messages-dir=${server.shareDir}`,
    '--log-warnings=0',
    '--enforce-storage-engine=',
    '--max-allowed-packet=8M',
    '--net-buffer-length=16K',
  ];
}

async function systemTables(server: ServerBinary): Promise<(string | { file: string })[]> {
  // The bootstrap reader takes a statement to end with its line, so each has a line of its own.
  const begin = ['create database mysql;\n', 'use mysql;\n', 'SET @auth_root_socket=NULL;\n'];
  const input: (string | { file: string })[] = begin;
  // The help tables are left empty: filling them takes longer than all the rest.
  const tables = ['system_tables.sql', 'performance_tables.sql', 'system_tables_data.sql'];
  for (const name of [...tables, 'maria_add_gis_sp_bootstrap.sql']) {
    const file = await findSqlFile(server.shareDir ?? '', name);
    if (file !== undefined) input.push({ file }, '\n');
  }
  return input;
}
