import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { NotifyPolicy } from '../../src/domain/job/jobPolicies.ts';
import { type Listener, listen } from '../exec/notifications/listener.ts';
import { type MailSink, startMailSink } from '../exec/notifications/mailSink.ts';
import { addTarget } from '../store/notifications/notificationWorld.ts';
import { until } from '../support/until.ts';
import type { LiveSession, NodeProcess } from './nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from './nodeWorld.ts';

const secret = `whsec_${'A'.repeat(40)}`;
const jobsCount = 5;
/** Of the real time that nodes and their jobs take; what is waited for ends it much sooner. */
const patienceMs = 300_000;

/** Jobs that fail once, all at the same second, and say that the targets are to be told. */
async function addFailing(world: NodeWorld, to: string[]): Promise<void> {
  const notify: NotifyPolicy = { on: ['failure'], to };
  for (let number = 1; number <= jobsCount; number += 1) {
    await world.addOnce(`job${number}`, 12, { command: 'exit 3', notify, format: 4 });
  }
}

const sendingArgs = (sink: MailSink): string[] => [
  ...['--webhook-allow', '127.0.0.1', '--smtp-url', `smtp://127.0.0.1:${sink.port}`],
  ...['--mail-from', 'statecron@example.com', '--session-ttl', '45s'],
];

/** The live session of a node, which may take its time to start. */
async function sessionOf(world: NodeWorld, node: NodeProcess): Promise<LiveSession> {
  const live = () => world.count("session WHERE node_name = ? AND state = 'live'", [node.name]);
  await until(`${node.name} is live`, async () => (await live()) > 0, patienceMs);
  return node.session();
}

function waiting(world: NodeWorld): Promise<number> {
  return world.count("notice WHERE state = 'waiting'");
}

async function idsIn(world: NodeWorld, target: string): Promise<string[]> {
  const rows = await world.rows('SELECT stable_id FROM notice WHERE target_name = ?', [target]);
  return rows.map((row) => row.stable_id as string).sort();
}

const idsHeard = ({ heard }: Listener): string[] =>
  heard.map(({ headers }) => String(headers['webhook-id']));
const idsMailed = ({ got }: MailSink): string[] =>
  got.map(({ raw }) => /^Message-ID: <(ntc_[0-9a-f]+)@/im.exec(raw)?.[1] ?? 'no id');

test('a node killed between COMMIT and sending: each is told once, none lost', async (t) => {
  const world = await makeNodeWorld(t);
  const hook = await listen(world.scope);
  const sink = await startMailSink(world.scope);
  await addTarget(world, 'hook', { address: hook.url, secret });
  await addTarget(world, 'ops', { kind: 'mail' });
  await world.rows('UPDATE notice_target SET rest_until = NOW(3) + INTERVAL 1 HOUR');
  await addFailing(world, ['hook', 'ops']);
  const node = world.start('a', sendingArgs(sink));
  const session = await sessionOf(world, node);
  const all = 2 * jobsCount;
  await until(
    'every notification is written',
    async () => (await waiting(world)) === all,
    patienceMs,
  );
  process.kill(session.pid, 'SIGKILL');
  assert.deepEqual([hook.heard.length, sink.got.length], [0, 0]);
  await world.rows('UPDATE notice_target SET rest_until = NOW(3)');
  await until('every one is told', async () => (await waiting(world)) === 0, patienceMs);
  assert.deepEqual(idsHeard(hook).sort(), await idsIn(world, 'hook'));
  assert.deepEqual(idsMailed(sink).sort(), await idsIn(world, 'ops'));
  assert.equal(new Set([...idsHeard(hook), ...idsMailed(sink)]).size, all);
  for (const { body, headers } of hook.heard) {
    new Webhook(secret).verify(body, headers as Record<string, string>);
  }
  await world.requireEveryTick();
});

test('a node killed while it sends: told again with the same id, never not at all', async (t) => {
  const world = await makeNodeWorld(t);
  let victim: LiveSession | null = null;
  const kill = (): void => {
    if (victim !== null) process.kill(victim.pid, 'SIGKILL');
    victim = null;
  };
  const hook = await listen(world.scope, (response) => {
    kill(); // it was heard, and nobody is there for the answer
    response.writeHead(204).end();
  });
  const sink = await startMailSink(world.scope, { onMail: kill });
  await addTarget(world, 'hook', { address: hook.url, secret });
  await addTarget(world, 'ops', { kind: 'mail' });
  // Nothing is sent before it is known whom to kill.
  await world.rows('UPDATE notice_target SET rest_until = NOW(3) + INTERVAL 1 HOUR');
  await addFailing(world, ['hook', 'ops']);
  const node = world.start('a', sendingArgs(sink));
  victim = await sessionOf(world, node);
  const first = victim;
  await world.rows('UPDATE notice_target SET rest_until = NOW(3)');
  await until(
    'every one is told',
    async () => {
      const told = await world.count("notice WHERE state = 'sent'");
      return told === 2 * jobsCount;
    },
    patienceMs,
  );
  assert.notEqual((await sessionOf(world, node)).pid, first.pid, 'it was killed');
  for (const [ids, wanted] of [
    [idsHeard(hook), await idsIn(world, 'hook')],
    [idsMailed(sink), await idsIn(world, 'ops')],
  ] as const) {
    assert.deepEqual([...new Set(ids)].sort(), wanted);
    for (const id of wanted) {
      const times = ids.filter((each) => each === id).length;
      assert.ok(times <= 2, `${id} was told ${times} times`);
    }
  }
  const told = hook.heard.length + sink.got.length;
  t.diagnostic(`${told} messages for ${2 * jobsCount} notifications`);
  assert.ok(told > 2 * jobsCount, 'what was told as it was killed is told again');
  await world.requireEveryTick();
});

test('two nodes that both can send never both do', async (t) => {
  const world = await makeNodeWorld(t);
  const hook = await listen(world.scope, (response) => {
    setTimeout(() => response.writeHead(204).end(), 300); // slow, so that looks overlap
  });
  const sink = await startMailSink(world.scope);
  await addTarget(world, 'hook', { address: hook.url, secret });
  await addFailing(world, ['hook']);
  for (const name of ['a', 'b']) await sessionOf(world, world.start(name, sendingArgs(sink)));
  await until(
    'every one is told',
    async () => {
      return (await world.count("notice WHERE state = 'sent'")) === jobsCount;
    },
    patienceMs,
  );
  assert.deepEqual(idsHeard(hook).sort(), await idsIn(world, 'hook'));
});
