import assert from 'node:assert/strict';
import test from 'node:test';
import { pauseJob } from '../../src/store/jobs/changes/changeJob.ts';
import { addToken } from '../../src/store/tokens/addToken.ts';
import { type Live, slotsThat } from '../support/liveMachines.ts';
import { until } from '../support/until.ts';
import { makeNodeWorld } from './nodeWorld.ts';
import { originOf } from './originOf.ts';

/** `STATECRON_LAUNCHES=10000` for a long look. */
const launches = Number(process.env.STATECRON_LAUNCHES ?? 300);
/** Of every second, so that it takes fifteen seconds and a minute or two. */
const jobsCount = Math.min(100, Math.ceil(launches / 15));
const kills = 2;

test('counts of all lack what killed nodes did after their last report, no more', async (t) => {
  const world = await makeNodeWorld(t);
  const serving = world.start('serving', ['--http', '0']);
  const victims = ['first', 'second'].map((name) => world.start(name));
  await Promise.all([serving, ...victims].map((node) => node.session()));
  const url = await originOf(serving);
  const wishes = { name: 'test', role: 'viewer', groups: null, expiresMs: null } as const;
  const token = (await addToken(world.channel, wishes)).secret ?? '';
  const read = async (): Promise<Live> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/v1/machines/live?cluster=true`, { headers });
    assert.equal(answer.status, 200);
    return (await answer.json()) as Live;
  };
  await until('all report', async () =>
    (await read()).reports.every(({ reportedAt }) => reportedAt !== null),
  );
  const names = Array.from({ length: jobsCount }, (_, number) => `job${number}`);
  for (const name of names) await world.add(name, '* * * * * *');

  const started = () => world.count('run WHERE started_at IS NOT NULL');
  for (let kill = 1; kill <= kills; kill += 1) {
    // Somebody looks all along, so that each node reports until it is killed.
    await until(
      'launches have gone by',
      async () => {
        await read();
        return (await started()) >= (kill * launches) / (kills + 1);
      },
      600_000,
    );
    const victim = victims[kill % victims.length];
    const session = await victim?.session();
    if (session !== undefined) process.kill(session.pid, 'SIGKILL');
    await victim?.session(session);
  }
  await until(
    'all have gone by',
    async () => (await read()) && (await started()) >= launches,
    600_000,
  );
  for (const name of names) await pauseJob(world.channel, name);
  await until(
    'nothing is held',
    async () => (await world.count("slot WHERE state <> 'idle'")) === 0,
  );

  const ran = await started();
  const [lost] = await world.rows(
    `SELECT COUNT(*) AS runs FROM session JOIN node_activity USING (session_id)
     JOIN run ON session.session_id = SUBSTRING_INDEX(launch_id, ':', 1)
     WHERE state = 'ended' AND run.started_at > reported_at - INTERVAL 1 SECOND`,
  );
  const { live, missing } = await until('the live ones have reported all', async () => {
    const live = await read();
    const missing = ran - slotsThat('start.committed', live);
    return missing <= Number(lost?.runs) && { live, missing };
  });
  t.diagnostic(`${ran} launches, ${missing} of them not counted; at most ${lost?.runs} may be`);
  assert.ok(missing >= 0, `${-missing} are counted and were not`);
  assert.ok(live.reports.filter(({ isLive }) => !isLive).length === kills);
});
