import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addTarget } from '../../store/notifications/notificationWorld.ts';
import { makeApiWorld } from '../world/apiWorld.ts';

const words = { cron: '0 * * * *', command: 'true', notifyTo: ['ops'], notifyOn: ['failure'] };
const path = '/api/v1/notify/mutes';

async function makeMutableWorld(t: Parameters<typeof makeApiWorld>[0]) {
  const world = await makeApiWorld(t);
  await addTarget(world, 'ops');
  for (const [name, group] of [['mine', 'a'] as const, ['theirs', 'b'] as const]) {
    const added = await world.ask('POST', '/api/v1/jobs', { body: { name, group, ...words } });
    assert.equal(added.status, 201, added.text);
  }
  return world;
}

test("an operator mutes the jobs of his groups; a target is an admin's to mute", async (t) => {
  const world = await makeMutableWorld(t);
  const token = await world.token('operator', ['a']);
  const body = { until: '1h', note: 'new disk' };
  const put = await world.ask('PUT', `${path}/job/mine`, { body, token });
  assert.equal(put.status, 200, put.text);
  const { json } = put;
  assert.deepEqual([json.kind, json.name, json.changed], ['job', 'mine', true]);
  assert.deepEqual([json.mute.by, json.mute.note], ['operator-2', 'new disk']);
  const lasts = Date.parse(json.mute.until) - Date.parse(json.mute.since);
  assert.equal(lasts, 3_600_000);
  const group = await world.ask('PUT', `${path}/group/a`, { body, token });
  assert.equal(group.status, 200, group.text);
  const whole = await world.token('operator');
  const target = await world.ask('PUT', `${path}/target/ops`, { body, token: whole });
  assert.deepEqual([target.status, target.json.code], [403, 'role_forbidden']);
  const viewer = await world.token('viewer');
  const seen = await world.ask('DELETE', `${path}/job/mine`, { token: viewer });
  assert.deepEqual([seen.status, seen.json.code], [403, 'role_forbidden']);
  const ended = await world.ask('DELETE', `${path}/job/mine`, { token });
  assert.deepEqual([ended.json.changed, ended.json.mute], [true, null]);
});

test('each sees the mutes that are his business, and a job those that silence it', async (t) => {
  const world = await makeMutableWorld(t);
  const body = { until: '2h' };
  for (const what of ['job/mine', 'job/theirs', 'group/b', 'target/ops']) {
    await world.ask('PUT', `${path}/${what}`, { body });
  }
  const seen = async (token?: string) => {
    const { json } = await world.ask('GET', path, token === undefined ? {} : { token });
    return json.items.map(({ kind, name }: Record<string, string>) => `${kind}/${name}`);
  };
  assert.deepEqual(await seen(), ['group/b', 'job/mine', 'job/theirs', 'target/ops']);
  assert.deepEqual(await seen(await world.token('viewer', ['a'])), ['job/mine']);
  const whole = await world.token('viewer');
  assert.deepEqual(await seen(whole), ['group/b', 'job/mine', 'job/theirs']);
  for (const where of ['', '/why']) {
    const { json } = await world.ask('GET', `/api/v1/jobs/theirs${where}`);
    const kinds = json.mutes.map(({ kind }: Record<string, string>) => kind);
    assert.deepEqual(kinds, ['group', 'job', 'target']);
  }
});

test('a mute needs an end to come, and something that there is', async (t) => {
  const world = await makeMutableWorld(t);
  const refused = async (what: string, body: unknown, status: number, code: string) => {
    const answer = await world.ask('PUT', `${path}/${what}`, { body });
    assert.deepEqual([answer.status, answer.json.code], [status, code], answer.text);
  };
  await refused('job/mine', { until: '2020-01-01T00:00:00Z' }, 422, 'mute_over');
  await refused('job/mine', {}, 422, 'invalid');
  await refused('job/mine', { until: 'noon' }, 422, 'bad_request');
  await refused('run/mine', { until: '1h' }, 422, 'invalid');
  await refused('job/nobody', { until: '1h' }, 404, 'job_missing');
  await refused('group/nobody', { until: '1h' }, 404, 'job_group_missing');
  await refused('target/nobody', { until: '1h' }, 404, 'target_missing');
});
