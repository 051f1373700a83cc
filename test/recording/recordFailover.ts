import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { launcherOf } from '../node/nodeProcess.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { programArgs } from '../support/program.ts';
import { startTestServer } from '../support/startTestServer.ts';
import { until } from '../support/until.ts';
import type { ShownLine } from './terminalSvg.ts';

const names = ['web1', 'web2', 'web3'];
const job = 'report';

/** Of `statecron cluster --json`. */
interface Session {
  readonly node: string;
  readonly sessionId: string;
  readonly processId: number;
  readonly guardianProcessId: number;
  readonly executing: number;
}

/**
 * Runs three nodes on a private database, kills one of them in the middle of a run, waits until the
 * others have taken over, and returns what the terminal showed. `columns`: how wide it is.
 */
export async function recordFailover(columns: number): Promise<ShownLine[]> {
  const cleanUps: (() => Promise<void>)[] = [];
  const scope = lastFirst({ after: (cleanUp) => void cleanUps.push(cleanUp) });
  try {
    return await record(scope, columns);
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

async function record(scope: ReturnType<typeof lastFirst>, columns: number) {
  const env = await makeEnvironment(scope);
  await run(env, ['migrate']);
  const lines: ShownLine[] = [];
  let beganAt = performance.now();
  const show = (source: string, text: string): void => {
    lines.push({ atMs: performance.now() - beganAt, source, text });
  };
  const type = async (text: string): Promise<void> => {
    show('typed', text);
    for (const line of await runTyped(env, text, columns)) show('output', line);
  };
  const succeeded = (besides = ''): number =>
    lines.filter(({ source, text }) => source !== besides && isSuccess(source, text)).length;

  show('remark', '# three machines, one database; each runs: statecron node --session-ttl 10s');
  const nodes = new Map(names.map((name) => [name, startNode(scope, env, name, show)]));
  await until('all nodes serve', () => lines.filter(isServing).length === names.length);
  // The time counts from here.
  beganAt = performance.now();
  for (const [place, line] of lines.entries()) lines[place] = { ...line, atMs: 0 };
  const flags = `--cron '@every 4s' --command 'sleep 2; echo from $STATECRON_NODE'`;
  await type(`statecron job add ${job} ${flags}`);
  await until('two runs have succeeded', () => succeeded() >= 2);
  const victim = await until('a node runs it', () => readExecuting(env));
  const { node: name, guardianProcessId, processId: pid, sessionId } = victim;
  assert.equal(nodes.get(name)?.pid, guardianProcessId);
  const pids = [guardianProcessId, pid, launcherOf({ sessionId, pid })];
  show(
    'typed',
    `kill -9 ${pids.join(' ')}    # ${name} dies in the middle of a run; its session ends in 10 s`,
  );
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  const before = succeeded();
  await until('others go on', () => succeeded(name) > 0 && succeeded() >= before + 2);
  await type(`statecron runs --job ${job} --limit 5`);
  await type('statecron verify');
  assert.ok(
    lines.some(({ text }) => / lost /.test(text)),
    'the killed run is in the history',
  );
  assert.equal(lines.at(-1)?.text, 'No promise is broken.');
  return [...lines];
}

const isSuccess = (source: string, text: string) =>
  names.includes(source) && / succeeded /.test(text);
const isServing = ({ text }: ShownLine) => / serves$/.test(text);

async function makeEnvironment(scope: ReturnType<typeof lastFirst>): Promise<NodeJS.ProcessEnv> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-recording-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const server = await startTestServer();
  scope.after(() => server.stop());
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: folder,
    TERM: 'xterm',
    NO_COLOR: '1',
    STATECRON_DATABASE_URL: server.url,
  };
}

function startNode(
  scope: ReturnType<typeof lastFirst>,
  env: NodeJS.ProcessEnv,
  name: string,
  show: (source: string, text: string) => void,
): ChildProcess {
  const flags = ['--session-ttl', '10s', '--show-runs', '--http', 'off'];
  const node = spawn(process.execPath, [...programArgs(), 'node', '--name', name, ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(node, 'exit');
  scope.after(async () => {
    node.kill('SIGTERM');
    await exited;
  });
  for (const stream of [node.stdout, node.stderr]) {
    createInterface({ input: stream }).on('line', (line) => show(name, messageOf(line)));
  }
  return node;
}

/** A node logs JSON. */
function messageOf(line: string): string {
  return line.startsWith('{') ? String((JSON.parse(line) as { msg: unknown }).msg) : line;
}

async function readExecuting(env: NodeJS.ProcessEnv): Promise<Session | undefined> {
  const cluster = await run(env, ['cluster', '--json']);
  const { sessions } = JSON.parse(cluster) as { sessions: Session[] };
  return sessions.find(({ executing }) => executing > 0);
}

async function run(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<string> {
  return await outputOf(env, [process.execPath, ...programArgs(), ...args]);
}

/** What a terminal of that width shows of a command line, without its colours. */
async function runTyped(env: NodeJS.ProcessEnv, text: string, columns: number): Promise<string[]> {
  const program = [process.execPath, ...programArgs()].map((word) => `'${word}'`).join(' ');
  const script = `stty cols ${columns}; statecron() { ${program} "$@"; }; ${text}`;
  const quoted = `bash -c '${script.replaceAll("'", "'\\''")}'`;
  const output = await outputOf(env, ['script', '-qec', quoted, '/dev/null']);
  const lines = stripVTControlCharacters(output).trimEnd().split(/\r?\n/);
  // A line that is written anew shows what was written last.
  const shown = lines.map((line) => line.slice(line.lastIndexOf('\r') + 1));
  return shown.map((line) => (line.length > columns ? `${line.slice(0, columns - 1)}…` : line));
}

async function outputOf(env: NodeJS.ProcessEnv, command: readonly string[]): Promise<string> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, `${command.join(' ')}: ${output}`);
  return output;
}
