import { readFile } from 'node:fs/promises';

/** The commands, to copy, that give statecron a database on this machine. */
export async function installHint(osRelease = '/etc/os-release'): Promise<string> {
  const text = await readFile(osRelease, 'utf8').catch(() => '');
  const ids = [...text.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)/gm)].flatMap((m) => m[1]?.split(' '));
  const install = installers.find((installer) => ids.includes(installer.id))?.command;
  return [
    'Install MariaDB 10.6 or later (or MySQL 8.0.1 or later) and start again:',
    `    ${install ?? 'apt-get install mariadb-server-core   # or your system’s package of it'}`,
    'or give the URL of a database:',
    "    DATABASE_URL='mysql://user:password@host/statecron' npm start",
  ].join('\n');
}

const installers = [
  { id: 'debian', command: 'sudo apt-get update && sudo apt-get install mariadb-server-core' },
  { id: 'ubuntu', command: 'sudo apt-get update && sudo apt-get install mariadb-server-core' },
  { id: 'fedora', command: 'sudo dnf install mariadb-server' },
  { id: 'rhel', command: 'sudo dnf install mariadb-server' },
  { id: 'arch', command: 'sudo pacman -S mariadb' },
  { id: 'alpine', command: 'sudo apk add mariadb' },
  { id: 'suse', command: 'sudo zypper install mariadb' },
] as const;
