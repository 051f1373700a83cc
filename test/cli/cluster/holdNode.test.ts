import assert from 'node:assert/strict';
import type { HeldNodeView } from '../../../src/http/contract/clusterContract.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { runCli } from '../runCli.ts';
import { reach, testBothWays } from '../ways.ts';

testBothWays('a drain waits until the node executes nothing, and shows why', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const [web1, web2] = [await world.join('web1'), await world.join('web2')];
  await world.addJob('long');
  const [launch] = await web1.claim();
  assert.ok(launch);
  await web1.start(launch);
  await world.addJob('later', { schedule: '0 0 1 1 *', dueInMs: 5_000 });
  assert.equal((await web1.claim()).length, 1);

  const tooLong = await askCli(['node', 'drain', 'web1', '--wait-timeout', '1ms'], cli);
  assert.equal(tooLong.code, 75, tooLong.stderr);
  assert.match(tooLong.stderr, /no new work\. It executes 1 run\. 1 prepared launch given back/);
  assert.match(tooLong.stderr, /web1 executes 1 run after 1ms; it stays cordoned/);
  assert.equal((await web2.claim()).length, 1, 'another node has it');

  const drain = runCli(['node', 'drain', 'web1', '--note', 'new\u001bdisk', '--json'], cli);
  const isNoted = async () => (await world.rows(selectNotes))[0]?.hold_note === 'new\u001bdisk';
  await until('it is cordoned with a note', isNoted);
  await web1.finish(launch);
  const { code, stdout, stderr } = await drain;
  assert.equal(code, 0, stderr);
  const held: HeldNodeView = JSON.parse(stdout);
  assert.deepEqual([held.executing, held.prepared, held.isLive], [0, 0, true]);
  assert.deepEqual([held.changed, held.cordon?.note], [true, 'new\u001bdisk']);

  const { stdout: shown } = await askCli(['cluster'], cli);
  assert.match(shown.replace(/\s+/g, ' '), /web1 cordoned .*new/);
  assert.ok(!shown.includes('\u001b'));
  const again = await askCli(['node', 'cordon', 'web1'], cli);
  assert.match(again.stdout, /web1 was cordoned already, .*new.*It executes 0 runs\./);
  const undone = await askCli(['node', 'uncordon', 'web1'], cli);
  assert.equal(undone.stdout, 'web1 takes work again.\n');
  const twice = await askCli(['node', 'uncordon', 'web1'], cli);
  assert.equal(twice.stdout, 'web1 was not cordoned.\n');
  const audit = await world.rows('SELECT action, target FROM audit_log ORDER BY audit_id');
  const holds = audit.filter(({ target }) => target === 'web1').map(({ action }) => action);
  assert.deepEqual(holds, ['node.drain', 'node.drain', 'node.uncordon']);
  const { stdout: shownAudit } = await askCli(['audit', '--limit', '3'], cli);
  assert.match(shownAudit, /node\.uncordon +web1 +since: \S+ .* → -; by: \S+ → -; note: .* → -/);
  assert.match(shownAudit, /node\.drain +web1 +since: [^→]*$/m);
});

testBothWays('a node that is away is cordoned for when it comes back', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const web1 = await world.join('web1');
  await world.join('web2');
  await web1.store.endSession(web1.sessionId, 'test', null);
  const nobody = await askCli(['node', 'cordon', 'web3'], cli);
  assert.deepEqual([nobody.code, /no node "web3"/.test(nobody.stderr)], [1, true]);
  const held = await askJsonCli<HeldNodeView>(['node', 'drain', 'web1'], cli);
  assert.deepEqual([held.isLive, held.changed, held.executing], [false, true, 0]);
  const { stderr } = await askCli(['cluster'], cli);
  assert.match(stderr, /web1 is cordoned and not live: .* statecron node uncordon web1/);
  const back = await world.join('web1');
  await world.addJob('job');
  assert.deepEqual(await back.claim(), []);
});

testBothWays('whoever waits hears that the node was uncordoned meanwhile', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const web1 = await world.join('web1');
  await world.addJob('long');
  const [launch] = await web1.claim();
  assert.ok(launch);
  await web1.start(launch);
  const drain = runCli(['node', 'drain', 'web1'], cli);
  await until('it is cordoned', async () => (await world.rows(selectNotes)).length === 1);
  await askCli(['node', 'uncordon', 'web1'], cli);
  const { code, stderr } = await drain;
  assert.deepEqual([code, /web1 was uncordoned meanwhile/.test(stderr)], [75, true], stderr);
});

const selectNotes = 'SELECT hold_note FROM node_hold WHERE held_until IS NULL';
