import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeApiWorld } from '../world/apiWorld.ts';

test('the cluster and its sessions are told as they are', async (t) => {
  const world = await makeApiWorld(t);
  await world.join('n1', { facts: { labels: ['gpu'], level: 2 } });
  await world.addJob('job');
  const { json } = await world.ask('GET', '/api/v1/cluster');
  assert.equal(json.jobs, 1);
  const [session] = json.sessions;
  assert.deepEqual([session.node, session.state, session.level], ['n1', 'live', 2]);
  assert.deepEqual([session.labels, session.stripes.length], [['gpu'], 64]);
  const sessions = await world.ask('GET', '/api/v1/sessions');
  assert.deepEqual(sessions.json.sessions[0].nodeName, 'n1');
  const live = await world.ask('DELETE', '/api/v1/nodes/n1');
  assert.equal(live.json?.slots ?? 0, 0);
  const gone = await world.ask('DELETE', '/api/v1/nodes/nobody');
  assert.deepEqual(gone.json, { node: 'nobody', slots: 0 });
});

test('a node is cordoned, drained and uncordoned', async (t) => {
  const world = await makeApiWorld(t);
  await world.join('n1');
  const path = '/api/v1/nodes/n1';
  const token = await world.token('operator');
  const put = await world.ask('PUT', `${path}/cordon`, { body: { note: 'why' }, token });
  assert.deepEqual([put.status, put.json.changed, put.json.cordon.note], [200, true, 'why']);
  const drained = await world.ask('POST', `${path}/drain`, { token });
  assert.deepEqual([drained.json.changed, drained.json.cordon], [false, put.json.cordon]);
  const { json } = await world.ask('GET', '/api/v1/cluster');
  const [session] = json.sessions;
  assert.deepEqual([session.isDraining, session.cordon], [true, put.json.cordon]);
  const lifted = await world.ask('DELETE', `${path}/cordon`, { token });
  assert.deepEqual([lifted.json.changed, lifted.json.cordon], [true, null]);
  const nobody = await world.ask('POST', '/api/v1/nodes/n2/drain');
  assert.deepEqual([nobody.status, nobody.json.code], [404, 'node_missing']);
});

test('a group of nodes is made once, changed as read, and kept while jobs name it', async (t) => {
  const world = await makeApiWorld(t);
  const path = '/api/v1/groups/web';
  const body = { nodes: ['b', 'a', 'a'] };
  const bare = await world.ask('PUT', path, { body });
  assert.equal(bare.status, 428);
  const absent = await world.ask('PUT', path, { body, headers: { 'if-match': '*' } });
  assert.deepEqual([absent.status, absent.json.code], [404, 'group_missing']);
  const isNew = { headers: { 'if-none-match': '*' } };
  const made = await world.ask('PUT', path, { body, ...isNew });
  assert.deepEqual(made.json, { group: 'web', nodes: ['a', 'b'], changed: true, withdrawn: 0 });
  const twice = await world.ask('PUT', path, { body, ...isNew });
  assert.deepEqual([twice.status, twice.json.code], [409, 'group_exists']);
  const read = await world.ask('GET', path);
  assert.equal(read.headers.get('etag'), made.headers.get('etag'));
  const tagged = { headers: { 'if-match': read.headers.get('etag') ?? '' } };
  const changed = await world.ask('PUT', path, { body: { nodes: ['c'] }, ...tagged });
  assert.deepEqual(changed.json.nodes, ['c']);
  const stale = await world.ask('DELETE', path, tagged);
  assert.equal(stale.status, 412);
  const job = { name: 'job', cron: '@daily', command: 'x', onGroup: ['web'] };
  await world.ask('POST', '/api/v1/jobs', { body: job });
  const used = await world.ask('DELETE', path);
  assert.deepEqual([used.status, used.json.code], [409, 'group_in_use']);
  const shown = await world.ask('GET', path);
  assert.deepEqual([shown.json.jobs, shown.json.jobNames], [1, ['job']]);
  await world.ask('DELETE', '/api/v1/jobs/job');
  assert.equal((await world.ask('DELETE', path)).status, 200);
  assert.deepEqual((await world.ask('GET', '/api/v1/groups')).json.items, []);
  const odd = await world.ask('PUT', '/api/v1/groups/x', {
    body: { nodes: ['ok', ' '] },
    ...isNew,
  });
  assert.equal(odd.json.errors[0].field, 'nodes.1');
});

test('a limit is set, told and taken away', async (t) => {
  const world = await makeApiWorld(t);
  const set = await world.ask('PUT', '/api/v1/limits/g', { body: { max: 3 } });
  assert.deepEqual(set.json, { group: 'g', max: 3, changed: true });
  const same = await world.ask('PUT', '/api/v1/limits/g', { body: { max: 3 } });
  assert.equal(same.json.changed, false);
  const { json } = await world.ask('GET', '/api/v1/limits');
  assert.deepEqual(json.items, [{ group: 'g', max: 3, held: 0, running: 0, waiting: 0, jobs: 0 }]);
  for (const [group, body] of [['default', { max: 1 }] as const, ['g', { max: 0 }] as const]) {
    const answer = await world.ask('PUT', `/api/v1/limits/${group}`, { body });
    assert.equal(answer.status, 422, answer.text);
  }
  const gone = await world.ask('DELETE', '/api/v1/limits/g');
  assert.deepEqual(gone.json, { group: 'g', max: null, changed: true });
});

test('a token is told once, works as what it is, and not after it was revoked', async (t) => {
  const world = await makeApiWorld(t);
  const body = { name: 'bot', role: 'viewer', groups: ['a'], expires: '30d' };
  const headers = { 'idempotency-key': 'k' };
  const made = await world.ask('POST', '/api/v1/tokens', { body, headers });
  assert.equal(made.status, 201, made.text);
  const token = made.json.secret as string;
  const again = await world.ask('POST', '/api/v1/tokens', { body, headers });
  assert.deepEqual([again.status, again.json.secret], [201, null]);
  const list = await world.ask('GET', '/api/v1/tokens');
  const bot = list.json.items.find(({ name }: { name: string }) => name === 'bot');
  assert.deepEqual([bot.role, bot.groups, bot.expired], ['viewer', ['a'], false]);
  assert.equal(list.text.includes(token), false);
  assert.equal((await world.ask('GET', '/api/v1/jobs', { token })).status, 200);
  const denied = await world.ask('POST', '/api/v1/plan', { token, text: 'jobs: {}' });
  assert.equal(denied.status, 200, 'a viewer may plan');
  assert.equal((await world.ask('POST', '/api/v1/apply', { token, text: '{}' })).status, 403);
  assert.equal((await world.ask('GET', '/api/v1/audit', { token })).status, 403);
  await world.ask('DELETE', '/api/v1/tokens/bot');
  assert.equal((await world.ask('GET', '/api/v1/jobs', { token })).status, 401);
  const missing = await world.ask('DELETE', '/api/v1/tokens/bot');
  assert.deepEqual([missing.status, missing.json.code], [404, 'token_missing']);
});

test('every machine is told as it runs, with its drawings', async (t) => {
  const world = await makeApiWorld(t);
  const { json } = await world.ask('GET', '/api/v1/machines');
  const ids = json.items.map(({ id }: { id: string }) => id);
  assert.ok(ids.includes('slot') && ids.includes('committer'), ids.join());
  const slot = await world.ask('GET', '/api/v1/machines/slot');
  assert.equal(slot.json.id, 'slot');
  const svg = await world.ask('GET', '/api/v1/machines/slot/drawing');
  assert.equal(svg.headers.get('content-type'), 'image/svg+xml');
  assert.match(svg.text, /<svg/);
  const mermaid = await world.ask('GET', '/api/v1/machines/slot/drawing?format=mermaid');
  assert.match(mermaid.text, /stateDiagram/);
  for (const id of ['nobody', '..%2f..%2fpackage', '%2e%2e', 'slot.svg']) {
    const answer = await world.ask('GET', `/api/v1/machines/${id}/drawing`);
    assert.ok([404, 422].includes(answer.status), `${id}: ${answer.status}`);
  }
});
