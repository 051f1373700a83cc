import path from 'node:path';
import type { ServerBinary } from '../../../src/database/system/findServers.ts';

/** What every server of every engine is started with. Durability is the servers' own default. */
export function memberArgs(server: ServerBinary, folder: string, port: number): string[] {
  return [
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    `--datadir=${path.join(folder, 'data')}`,
    `--socket=${path.join(folder, 'sock')}`,
    `--pid-file=${path.join(folder, 'pid')}`,
    `--tmpdir=${path.join(folder, 'tmp')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--default-time-zone=+00:00',
    '--innodb-buffer-pool-size=64M',
    ...(server.flavour === 'mysql' ? mysqlArgs : mariadbArgs),
  ];
}

const mariadbArgs = ['--performance-schema=OFF', '--innodb-log-file-size=32M'] as const;

const mysqlArgs = [
  '--loose-mysqlx=OFF',
  // The folder that it was built to import from may not be there, and then it does not start.
  '--secure-file-priv=NULL',
  '--innodb-redo-log-capacity=32M',
  '--innodb-log-buffer-size=4M',
  '--performance-schema=OFF',
] as const;
