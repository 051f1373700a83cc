import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../support/until.ts';
import {
  isAlive,
  type LiveSession,
  launcherOf,
  type NodeProcess,
  patient,
  shortLived,
} from './nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from './nodeWorld.ts';

/** A node whose child is deaf to SIGTERM, with descendants that have left its tree. */
async function startFull(t: TestContext, args: readonly string[]) {
  const world = await makeNodeWorld(t);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, '$STATECRON_NODE');
  const forks = [
    `trap '' TERM; echo bash $$ >> ${file}`,
    `setsid bash -c 'echo marked $$ >> "$0"; exec sleep 600' ${file} &`,
    `(setsid bash -c '(echo orphan $BASHPID >> "$0"; exec sleep 600) &' ${file} &)`,
    `(env -i setsid bash -c 'echo bare $$ >> "$0"; exec sleep 600' ${file} &)`,
    'while :; do sleep 0.2; done',
  ];
  await world.add('job', '* * * * * *', { kind: 'every-node', command: forks.join('\n') });
  const node = world.start('one', args);
  const session = await node.session();
  const childrenOf = async (name: string) => {
    const noted = path.join(folder, name);
    const read = () => new Map(linesOf(noted).map(([word = '', pid]) => [word, Number(pid)]));
    return until(`the children of ${name}`, () => read().size === 4 && read(), 60_000);
  };
  const all = { node, session, guardian: node.guardian.pid ?? 0 };
  const children = await childrenOf('one');
  t.after(() => end([...children.values()]));
  return { world, childrenOf, children, ...all, three: [...threeOf(all)] };
}

function linesOf(file: string): string[][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' '));
  } catch {
    return []; // not written yet
  }
}

const threeOf = ({ guardian, session }: { guardian: number; session: LiveSession }) =>
  [guardian, session.pid, launcherOf(session)] as const;

function end(pids: number[]): void {
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

/** The next process of the name, and what its old session was ended by. */
async function startAgain(world: NodeWorld, session: LiveSession, args: readonly string[]) {
  const next: NodeProcess = world.start('one', args);
  await next.session(session);
  const rows = await world.rows('SELECT * FROM session WHERE session_id = ?', [session.sessionId]);
  return { log: next.log(), ended: rows[0] };
}

test('guardian, node and launcher killed: nothing outlives the start of the name', async (t) => {
  const { world, children, childrenOf, session, three } = await startFull(t, patient);
  const other = world.start('other', patient);
  await other.session();
  const others = await childrenOf('other');
  t.after(() => end([...others.values()]));
  end(three);
  const bash = children.get('bash') ?? 0;
  // Nobody is there any more who would end it.
  await until('bash dies with its launcher', () => !isAlive(bash));
  const { log, ended } = await startAgain(world, session, patient);
  assert.deepEqual(
    [...children].filter(([, pid]) => isAlive(pid)),
    [],
  );
  assert.equal(ended?.ended_why, 'the next process of its name found it dead');
  const swept =
    '"The earlier session \\w+ of this name: \\d process(?:es)? of it w(?:as|ere) killed';
  assert.match(log, new RegExp(`^\\{"level":40,"time":"[^"]+","msg":${swept}`, 'm'));
  assert.deepEqual(
    [...others].filter(([, pid]) => !isAlive(pid)),
    [],
    'those of other names live',
  );
});

test('guardian killed: the node logs it with its runs, and the next start says why', async (t) => {
  const { world, node, session } = await startFull(t, patient);
  node.guardian.kill('SIGKILL');
  await until('the node is dead', () => !isAlive(session.pid));
  const said =
    /^\{"level":50,"time":"[^"]+","msg":"The guardian .* kills its run and ends\. Start .*"\}$/m;
  await until('the log says it', () => said.test(node.log()));
  const { ended } = await startAgain(world, session, patient);
  assert.equal(ended?.ended_why, 'its guardian was gone, so the node ended');
});

test('guardian, node and launcher frozen: the next start kills all past the lease', async (t) => {
  const { world, children, session, three } = await startFull(t, shortLived);
  for (const pid of three) process.kill(pid, 'SIGSTOP');
  const { ended } = await startAgain(world, session, shortLived);
  assert.deepEqual(
    [...children].filter(([, pid]) => isAlive(pid)),
    [],
  );
  assert.equal(isAlive(session.pid), false);
  assert.equal(ended?.ended_why, 'the next process of its name found it dead');
});
