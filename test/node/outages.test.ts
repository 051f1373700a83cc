import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { reasons } from '../../src/domain/reasons/reasons.ts';
import { startCutProxy } from '../support/cutProxy.ts';
import { until } from '../support/until.ts';
import { isAlive, processesOf, shortLived, spoolRootOf } from './nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from './nodeWorld.ts';

/** Everything that nodes of the world have spooled. */
function spooledIn(world: NodeWorld): string[] {
  try {
    const names = readdirSync(spoolRootOf(world), { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.result'));
  } catch {
    return []; // nobody has spooled anything
  }
}

interface Ending {
  /** The commands run: that slots execute says nothing of whether their node was told so. */
  hasBegun(): boolean;
  letEnd(): void;
}

/** One job that ends in the outage, with output, as soon as it is let, and one that does not. */
async function addBoth(world: NodeWorld): Promise<Ending> {
  const { folder, hasBegun, letEnd } = await addEnding(world, 'echo said; exit 7');
  const begun = join(folder, 'stays');
  await world.addOnce('stays', 3, { command: `: > ${begun}; setsid sleep 600 & sleep 600` });
  return { hasBegun: () => hasBegun() && existsSync(begun), letEnd };
}

/** A job that waits for the test's word: no clock tells on which side of an outage it ends. */
async function addEnding(world: NodeWorld, ending: string): Promise<Ending & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'statecron-outage-'));
  world.scope.after(() => rm(folder, { recursive: true }));
  const [begun, word] = [join(folder, 'begun'), join(folder, 'end')];
  const command = `: > ${begun}; until [ -e ${word} ]; do sleep 0.05; done; ${ending}`;
  await world.addOnce('ends', 3, { command });
  return { folder, hasBegun: () => existsSync(begun), letEnd: () => writeFileSync(word, '') };
}

/** `span`: when it was let end, and when its result was seen in the spool. */
async function requireHistory(world: NodeWorld, span: [number, number]): Promise<void> {
  const [run, ...others] = await world.runs('ends');
  assert.deepEqual([run?.result, run?.exit_code, others.length], ['failed', 7, 0]);
  assert.match(run?.reason, /recorded late/);
  const [letEndMs, spooledMs] = span;
  const endedMs = run?.ended_at.getTime();
  const isSeen = endedMs > letEndMs - 100 && endedMs < spooledMs + 100;
  assert.ok(isSeen, `it ended when its host saw it: ${endedMs} of ${span}`);
  const [output] = await world.rows('SELECT CAST(output AS CHAR) AS said FROM run_output');
  assert.equal(output?.said, 'said\n');
  assert.deepEqual(
    (await world.runs('stays')).map(({ result }) => result),
    ['lost'],
  );
  await world.requireEveryTick();
}

describe('a database that is away', { concurrency: 2 }, () => {
  test('for longer than the lease loses no result; the next process records it', async (t) => {
    const world = await makeNodeWorld(t);
    const proxy = await startCutProxy(t, world.url);
    const node = world.start('one', shortLived, proxy.url);
    const session = await node.session();
    const { hasBegun, letEnd } = await addBoth(world);
    await until('both run', hasBegun);
    const comeBack = proxy.goAway();
    const letEndMs = Date.now();
    letEnd();
    await until('the node is gone', () => !isAlive(session.pid));
    assert.equal(spooledIn(world).length, 1);
    const spooledMs = Date.now();
    await until('its children too', () => processesOf(session.sessionId).length === 0);
    comeBack();
    await node.session(session);
    const [old] = await world.rows('SELECT * FROM session WHERE session_id = ?', [
      session.sessionId,
    ]);
    const confirmed = /^the database (did not confirm a renewal|confirmed none of \d+ renewals) of/;
    assert.match(old?.ended_why, confirmed);
    assert.match(old?.ended_why, / of its lease in \d+\.\d s \(.*E[A-Z]+.*\)/);
    assert.ok(node.log().includes(old?.ended_why), 'the log says the same');
    assert.match(node.log(), /Check the database and the network to it\./);
    await until('all is recorded', async () => {
      const open = await world.count("run WHERE result <> 'lost'");
      return open === 1 && (await world.runs()).length === 2 && spooledIn(world).length === 0;
    });
    await requireHistory(world, [letEndMs, spooledMs]);
    assert.match(node.log(), /was recorded late/);
    const [stays] = await world.runs('stays');
    assert.equal(stays?.reason, `its node was lost while it ran: ${old?.ended_why}`);
  });

  test('for longer than the lease is why ticks were missed', async (t) => {
    const world = await makeNodeWorld(t);
    const proxy = await startCutProxy(t, world.url);
    const node = world.start('one', shortLived, proxy.url);
    const session = await node.session();
    await world.add('ticks', '* * * * * *');
    await until('it runs', async () => (await world.count('run')) > 0);
    const comeBack = proxy.goAway();
    await until('the node is gone', () => !isAlive(session.pid));
    // A server that stood still does then what was asked of it before.
    await world.rows('UPDATE session SET renewed_at = NOW(3)');
    comeBack();
    await node.session(session);
    const missed = await until('ticks are missed', async () => {
      return (await world.runs()).find(({ result, ticks }) => result === 'missed' && ticks > 5);
    });
    assert.equal(missed.reason, reasons.databaseAway);
    await world.requireEveryTick();
  });

  test('is made up for by a node of the name that is started by hand much later', async (t) => {
    const world = await makeNodeWorld(t);
    const proxy = await startCutProxy(t, world.url);
    const node = world.start('one', [...shortLived, '--on-fenced', 'exit'], proxy.url);
    await node.session();
    const { hasBegun, letEnd } = await addBoth(world);
    await until('both run', hasBegun);
    const comeBack = proxy.goAway();
    const letEndMs = Date.now();
    letEnd();
    assert.deepEqual(await node.exited(), [75, null]);
    assert.equal(spooledIn(world).length, 1);
    const spooledMs = Date.now();
    const other = world.start('other');
    await other.session();
    await until('another node calls both lost', async () => {
      return (await world.count("run WHERE result = 'lost'")) === 2;
    });
    assert.equal(spooledIn(world).length, 1, 'the spool is of its node name');
    comeBack();
    const next = world.start('one', [], proxy.url);
    await next.session();
    await until('it is recorded', () => spooledIn(world).length === 0);
    await requireHistory(world, [letEndMs, spooledMs]);
  });

  test('and a spool that cannot be written cost a warning, no result and no node', async (t) => {
    const world = await makeNodeWorld(t);
    const proxy = await startCutProxy(t, world.url);
    const file = join(tmpdir(), `statecron-file-${process.pid}`);
    writeFileSync(file, '');
    const node = world.start('one', ['--spool', file, '--session-ttl', '60s'], proxy.url);
    const session = await node.session();
    const { hasBegun, letEnd } = await addEnding(world, 'exit 7');
    await until('it runs', hasBegun);
    const comeBack = proxy.goAway();
    letEnd();
    await until('it warns', () => node.log().includes('kept in memory alone'));
    comeBack();
    await until('the run', async () => (await world.count('run')) === 1);
    const [run] = await world.runs('ends');
    assert.deepEqual([run?.result, run?.exit_code, run?.reason], ['failed', 7, null]);
    assert.equal(node.log().match(/kept in memory alone/g)?.length, 1);
    await until('it says that the database is back', () => /is back: no answer/.test(node.log()));
    assert.match(node.log(), /no answer for \d+ s, 1 result that waited was recorded/);
    assert.equal(node.log().match(/does not answer/g)?.length, 1);
    const jargon = /not confirmed|courier|failed: .*(ECONN|closed)|could not be renewed/;
    assert.doesNotMatch(node.log(), jargon);
    assert.deepEqual(await node.session(), session);
  });
});
