import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataFolder } from '../data/dataFolder.ts';
import { baseArgs, serverEnvironment } from '../data/initialiseData.ts';
import type { ServerBinary } from '../system/findServers.ts';

/** A server process, ours by birth or adopted. A pid alone may be somebody else's by now. */
export interface ServerProcess {
  pid: number;
  /** Ticks between the machine's boot and the start of the process, field 22 of proc(5) stat. */
  startTicks: string;
  socket: string;
}

const pollMs = 20;

/**
 * Starts the server detached, in a session of its own: no Ctrl-C reaches it. It outlives an owner
 * that is killed with SIGKILL, and the next start adopts it.
 */
export async function spawnServer(
  folder: DataFolder,
  server: ServerBinary,
): Promise<ServerProcess> {
  const log = await open(folder.log, 'a', 0o600);
  try {
    const [program = '', ...prefix] = server.command;
    const child = spawn(program, [...prefix, ...serverArgs(folder, server)], {
      cwd: folder.root,
      env: serverEnvironment(server),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    child.unref();
    const pid = child.pid as number;
    const startTicks = (await readStartTicks(pid)) ?? '';
    return { pid, startTicks, socket: folder.socket };
  } finally {
    await log.close();
  }
}

/**
 * The server that runs on this data folder, if there is one: its arguments name the folder,
 * whatever became of its pid file. A process of another user is nobody to speak to.
 */
export async function findRunningServer(folder: DataFolder): Promise<ServerProcess | undefined> {
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    // Processes come and go while we look; what cannot be read is not ours.
    const cmdline = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    const args = cmdline.split('\0');
    if (!args.includes(`--datadir=${folder.data}`)) continue;
    const owner = (await stat(`/proc/${entry}`).catch(() => undefined))?.uid;
    if (owner !== process.getuid?.()) continue;
    const pid = Number(entry);
    const startTicks = await readStartTicks(pid);
    const socket = args.find((arg) => arg.startsWith('--socket='))?.slice('--socket='.length);
    if (startTicks !== undefined && socket !== undefined) return { pid, startTicks, socket };
  }
  return undefined;
}

/** Whether that very process still runs; a zombie has ended. */
export async function isRunning(server: ServerProcess): Promise<boolean> {
  return (await readStartTicks(server.pid)) === server.startTicks;
}

/**
 * Ends the server: SIGTERM, with which it writes everything down, then SIGKILL, after which the
 * next start recovers. Returns when the process is gone.
 */
export async function endServer(server: ServerProcess, graceMs: number): Promise<void> {
  await signal(server, 'SIGTERM');
  // A server that somebody stopped would sleep through the SIGTERM.
  await signal(server, 'SIGCONT');
  if (await waitForEnd(server, graceMs)) return;
  await signal(server, 'SIGKILL');
  if (!(await waitForEnd(server, graceMs))) {
    throw new Error(`the database server (pid ${server.pid}) does not end, even by SIGKILL`);
  }
}

/** Lets a server go on that somebody stopped with SIGSTOP; any other ignores it. */
export async function wakeServer(server: ServerProcess): Promise<void> {
  await signal(server, 'SIGCONT');
}

async function waitForEnd(server: ServerProcess, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (await isRunning(server)) {
    if (performance.now() > until) return false;
    await delay(pollMs);
  }
  return true;
}

async function signal(server: ServerProcess, name: NodeJS.Signals): Promise<void> {
  if (!(await isRunning(server))) return;
  try {
    process.kill(server.pid, name);
  } catch {
    // It ended between the two lines.
  }
}

async function readStartTicks(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name stands in brackets and may hold spaces and brackets itself.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function serverArgs(folder: DataFolder, server: ServerBinary): string[] {
  return [
    ...baseArgs(folder, server, folder.data),
    `--socket=${folder.socket}`,
    `--pid-file=${folder.pidFile}`,
    '--skip-networking',
    '--skip-name-resolve',
    // Durability is the server's default: every commit is on disk before it is acknowledged.
    '--innodb-buffer-pool-size=128M',
    '--performance-schema=OFF',
    '--character-set-server=utf8mb4',
    '--default-time-zone=+00:00',
    '--max-connections=500',
    ...(server.flavour === 'mysql' ? mysqlArgs : []),
  ];
}

const mysqlArgs = [
  // No replica reads from it, and a binary log would grow for 30 days and double every flush.
  '--skip-log-bin',
  '--loose-mysqlx=OFF',
  // The folder that it was built to import from may not be there, and then it does not start.
  '--secure-file-priv=NULL',
] as const;
