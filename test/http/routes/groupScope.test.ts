import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiWorld, makeApiWorld } from '../world/apiWorld.ts';

const words = { cron: '0 * * * *', command: 'echo hello' };

/** Jobs `mine` of the group `a` and `theirs` of `b`, each paused once, and a token for `a`. */
async function makeScopedWorld(t: Parameters<typeof makeApiWorld>[0]) {
  const world = await makeApiWorld(t);
  for (const [name, group] of [['mine', 'a'] as const, ['theirs', 'b'] as const]) {
    const added = await world.ask('POST', '/api/v1/jobs', { body: { name, group, ...words } });
    assert.equal(added.status, 201, added.text);
    await world.ask('POST', `/api/v1/jobs/${name}/run`, { body: { requestId: `of-${name}` } });
  }
  return { world, token: await world.token('admin', ['a']) };
}

/** Every way to a job or a run of another group, and to what is the whole cluster's. */
const rows: readonly [method: string, path: string, body: unknown, status: number, code: string][] =
  [
    ['GET', '/api/v1/jobs/theirs', undefined, 404, 'job_missing'],
    ['PUT', '/api/v1/jobs/theirs', words, 404, 'job_missing'],
    ['PATCH', '/api/v1/jobs/theirs', { command: 'x' }, 404, 'job_missing'],
    ['DELETE', '/api/v1/jobs/theirs', undefined, 404, 'job_missing'],
    ['GET', '/api/v1/jobs/theirs/why', undefined, 404, 'job_missing'],
    ['GET', '/api/v1/jobs/theirs/chain', undefined, 404, 'job_missing'],
    ['GET', '/api/v1/jobs/theirs/next', undefined, 404, 'job_missing'],
    ['GET', '/api/v1/jobs/theirs/revisions', undefined, 404, 'job_missing'],
    ['GET', '/api/v1/jobs/theirs/revisions/1', undefined, 404, 'job_missing'],
    ['GET', '/api/v1/jobs/theirs/revisions/1/diff', undefined, 404, 'job_missing'],
    ['POST', '/api/v1/jobs/theirs/rollback', { revision: 1 }, 404, 'job_missing'],
    ['POST', '/api/v1/jobs/theirs/pause', {}, 404, 'job_missing'],
    ['POST', '/api/v1/jobs/theirs/resume', undefined, 404, 'job_missing'],
    ['POST', '/api/v1/jobs/theirs/go-live', undefined, 404, 'job_missing'],
    ['POST', '/api/v1/jobs/theirs/run', {}, 404, 'job_missing'],
    ['POST', '/api/v1/jobs/theirs/skip-next', {}, 404, 'job_missing'],
    [
      ...(['POST', '/api/v1/jobs/theirs/backfill'] as const),
      ...([
        { from: '2030-01-01T00:00:00Z', to: '2030-01-02T00:00:00Z' },
        404,
        'job_missing',
      ] as const),
    ],
    ['PUT', '/api/v1/notify/mutes/job/theirs', { until: '1h' }, 404, 'job_missing'],
    ['DELETE', '/api/v1/notify/mutes/job/theirs', undefined, 404, 'job_missing'],
    ['PUT', '/api/v1/notify/mutes/group/b', { until: '1h' }, 403, 'group_forbidden'],
    ['DELETE', '/api/v1/notify/mutes/group/b', undefined, 403, 'group_forbidden'],
    ['PUT', '/api/v1/notify/mutes/target/ops', { until: '1h' }, 403, 'group_forbidden'],
    ['DELETE', '/api/v1/notify/mutes/target/ops', undefined, 403, 'group_forbidden'],
    ['GET', '/api/v1/runs/of-theirs', undefined, 404, 'run_missing'],
    ['GET', '/api/v1/runs/of-theirs/log', undefined, 404, 'run_missing'],
    ['POST', '/api/v1/runs/of-theirs/live', {}, 404, 'run_missing'],
    ['POST', '/api/v1/runs/of-theirs/follow', {}, 404, 'run_missing'],
    ['POST', '/api/v1/runs/of-theirs/stop', {}, 404, 'run_missing'],
    ['POST', '/api/v1/runs/of-theirs/retry', undefined, 404, 'run_missing'],
    ['POST', '/api/v1/jobs', { name: 'new', group: 'b', ...words }, 403, 'group_forbidden'],
    ['POST', '/api/v1/jobs', { name: 'new', ...words }, 403, 'group_forbidden'],
    ['PATCH', '/api/v1/jobs/mine', { group: 'b' }, 403, 'group_forbidden'],
    ['PATCH', '/api/v1/jobs/mine', { after: ['theirs'] }, 422, 'upstream_missing'],
    ['PUT', '/api/v1/limits/a', { max: 1 }, 403, 'group_forbidden'],
    ['DELETE', '/api/v1/limits/a', undefined, 403, 'group_forbidden'],
    ['PUT', '/api/v1/groups/g', { nodes: ['n'] }, 403, 'group_forbidden'],
    ['DELETE', '/api/v1/groups/g', undefined, 403, 'group_forbidden'],
    ['DELETE', '/api/v1/nodes/n', undefined, 403, 'group_forbidden'],
    ['GET', '/api/v1/tokens', undefined, 403, 'group_forbidden'],
    ['POST', '/api/v1/tokens', { name: 't', role: 'admin' }, 403, 'group_forbidden'],
    ['DELETE', '/api/v1/tokens/admin-1', undefined, 403, 'group_forbidden'],
    ['POST', '/api/v1/apply', { jobs: { new: { ...words, group: 'b' } } }, 403, 'group_forbidden'],
    ['POST', '/api/v1/apply', { group: 'b', jobs: {} }, 403, 'group_forbidden'],
    ['POST', '/api/v1/apply', { group: 'a', jobs: { theirs: words } }, 422, 'bad_file'],
    ['POST', '/api/v1/plan?prune=true&group=b', { jobs: {} }, 403, 'group_forbidden'],
  ];

test('a token for one group is told nothing of another, and changes nothing of it', async (t) => {
  const { world, token } = await makeScopedWorld(t);
  const before = await stateOf(world);
  for (const [method, path, body, status, code] of rows) {
    const headers = { 'if-match': '*' };
    const answer = await world.ask(method, path, { body, token, headers });
    const told = `${method} ${path}: ${answer.status} ${answer.text}`;
    assert.deepEqual([answer.status, answer.json.code], [status, code], told);
  }
  assert.deepEqual(await stateOf(world), before);
  assert.deepEqual(world.troubles, []);
});

test('a token for one group is refused in the words of what is not there', async (t) => {
  const { world, token } = await makeScopedWorld(t);
  const told = async (path: string, name: string) => {
    const { text, status } = await world.ask('GET', path, { token });
    return [status, text.replaceAll(name, 'X').replace(/"requestId":"[^"]*"/, '')];
  };
  assert.deepEqual(
    await told('/api/v1/jobs/theirs', 'theirs'),
    await told('/api/v1/jobs/nobodys', 'nobodys'),
  );
  assert.deepEqual(
    await told('/api/v1/runs/of-theirs', 'of-theirs'),
    await told('/api/v1/runs/of-nobody', 'of-nobody'),
  );
});

test('lists show a token for one group what is of that group alone', async (t) => {
  const { world, token } = await makeScopedWorld(t);
  const namesOf = async (path: string) => {
    const { json } = await world.ask('GET', path, { token });
    return (json.items as { job: string }[]).map(({ job }) => job);
  };
  await world.ask('POST', '/api/v1/runs/of-mine/stop', { body: { waitingOnly: true } });
  await world.ask('POST', '/api/v1/runs/of-theirs/stop', { body: { waitingOnly: true } });
  await world.ask('PUT', '/api/v1/limits/a', { body: { max: 1 } });
  await world.ask('PUT', '/api/v1/limits/b', { body: { max: 2 } });
  assert.deepEqual(await namesOf('/api/v1/jobs'), ['mine']);
  assert.deepEqual(await namesOf('/api/v1/jobs?group=b&group=a'), ['mine']);
  assert.deepEqual(await namesOf('/api/v1/jobs?name=theirs'), []);
  assert.deepEqual(await namesOf('/api/v1/runs'), ['mine']);
  assert.deepEqual(await namesOf('/api/v1/runs?job=theirs'), []);
  const limits = await world.ask('GET', '/api/v1/limits', { token });
  assert.deepEqual(
    limits.json.items.map(({ group }: { group: string }) => group),
    ['a'],
  );
  const { json: own } = await world.ask('GET', '/api/v1/job-groups', { token });
  await world.ask('POST', '/api/v1/jobs', { body: { name: 'plain', ...words } });
  const { json: all } = await world.ask('GET', '/api/v1/job-groups');
  assert.deepEqual([own.items, all.items], [['a'], ['a', 'b', 'default']]);
  const audit = await world.ask('GET', '/api/v1/audit', { token });
  const groups = (audit.json.items as { group: string }[]).map(({ group }) => group);
  assert.ok(groups.length > 0 && groups.every((group) => group === 'a'), audit.text);
  const cluster = await world.ask('GET', '/api/v1/cluster', { token });
  assert.equal(cluster.text.includes('theirs'), false, cluster.text);
});

test('a job that came from another group leaves its old revisions behind', async (t) => {
  const world = await makeApiWorld(t);
  const job = { name: 'moved', group: 'b', ...words, env: { KEY: 'of group b' } };
  await world.ask('POST', '/api/v1/jobs', { body: job });
  const headers = { 'if-match': '*' };
  const body = { group: 'a', env: { KEY: null, OTHER: 'of group a' } };
  const moved = await world.ask('PATCH', '/api/v1/jobs/moved', { body, headers });
  assert.equal(moved.status, 200, moved.text);
  const token = await world.token('admin', ['a']);
  const paths = ['/api/v1/jobs/moved?revisions=100', '/api/v1/jobs/moved/revisions'];
  paths.push('/api/v1/jobs/moved/revisions/1', '/api/v1/jobs/moved/revisions/2/diff');
  paths.push('/api/v1/jobs?full=true', '/api/v1/audit');
  for (const path of paths) {
    const whole = await world.ask('GET', path);
    const isAboutBoth = !path.startsWith('/api/v1/jobs?');
    assert.equal(whole.text.includes('of group b'), isAboutBoth, `all: ${path} ${whole.text}`);
    const { text } = await world.ask('GET', path, { token });
    assert.equal(text.includes('of group b'), false, `${path}: ${text}`);
  }
  const { json } = await world.ask('GET', '/api/v1/jobs/moved?revisions=100', { token });
  const numbers = json.revisions.map(({ revision }: { revision: number }) => revision);
  assert.deepEqual([json.revision, numbers], [2, [2]]);
});

test('unreachable targets of notifications are named to admins of every group alone', async (t) => {
  const world = await makeApiWorld(t);
  const target = { name: 'ops', kind: 'webhook', address: 'https://hooks.example.com/key-of-ops' };
  await world.ask('POST', '/api/v1/notify/targets', { body: target });
  await world.ask('POST', '/api/v1/notify/targets/ops/test');
  await world.rows("UPDATE notice SET state = 'given_up', ended_at = NOW(3), last_error = 'no'");
  const tokens = [await world.token('viewer'), await world.token('operator')];
  tokens.push(await world.token('admin', ['a']));
  for (const token of tokens) {
    const { text } = await world.ask('GET', '/api/v1/cluster', { token });
    assert.equal(text.includes('ops'), false, text);
  }
  const { json } = await world.ask('GET', '/api/v1/cluster');
  assert.match(json.warnings.join(), /1 notification to ops was given up: no/);
});

/** All that the rows above could change. */
async function stateOf(world: ApiWorld): Promise<unknown> {
  const tables = ['job', 'job_revision', 'pending', 'run', 'api_token', 'node_group', 'job_group'];
  const counts = tables.map((table) => `(SELECT COUNT(*) FROM ${table}) AS ${table}_rows`);
  const [row] = await world.rows(`SELECT ${counts.join(', ')},
    (SELECT SUM(revision) + SUM(paused) FROM job) AS revisions`);
  return { ...row };
}
