import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { exitCodes } from '../../src/domain/errors/errors.ts';
import type { BenchDatabase, BenchServer } from './benchServer.ts';
import { pollUntil } from './pollUntil.ts';

/** A node as an operator starts it, with its guardian. */
export interface WholeNode {
  readonly pid: number;
  stop(): Promise<void>;
}

const program = path.resolve(import.meta.dirname, '../../dist/src/cli/main.js');
const joinMsMax = 180_000;

/** What of a node is not as usual. */
interface NodeWishes {
  /** Of `statecron node`; the last one of a name counts. */
  readonly flags?: readonly string[];
  /** Of Node.js. */
  readonly runtimeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `statecron node` with the defaults, on any free port; resolves when it has joined. */
export async function startWholeNode(
  { folder }: BenchServer,
  { url, query }: BenchDatabase,
  name: string,
  { flags = [], runtimeFlags = [], env: more }: NodeWishes = {},
): Promise<WholeNode> {
  const spool = path.join(folder, `spool-${name}`);
  const env = { ...process.env, STATECRON_DATABASE_URL: url, STATECRON_SPOOL: spool, ...more };
  const args = [...runtimeFlags, program, 'node', '--name', name, '--http', '0', ...flags];
  const start = () => spawn(process.execPath, args, { env, stdio: 'ignore' });
  let guardian = start();
  let pid = 0;
  await pollUntil(`${name} has joined`, joinMsMax, async () => {
    // As a service manager does: beside many nodes on few cores the database may answer too late.
    if (guardian.exitCode === exitCodes.databaseAway) guardian = start();
    else if (guardian.exitCode !== null) throw new Error(`it ended with ${guardian.exitCode}`);
    const [row] = await query(selectProcess, [name]);
    pid = row?.process_id ?? 0;
    return row !== undefined;
  });
  return {
    pid,
    stop: async () => {
      if (guardian.exitCode !== null || guardian.signalCode !== null) return;
      const exited = once(guardian, 'exit');
      guardian.kill('SIGTERM');
      await exited;
    },
  };
}

const selectProcess = "SELECT process_id FROM session WHERE node_name = ? AND state = 'live'";
