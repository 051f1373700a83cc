import type { Scope } from '../support/createDatabase.ts';
import { until } from '../support/until.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

/**
 * A world with what `screenTable.ts` opens: a job `sample`, and its run, which failed; a group of
 * nodes, a limit, a target of notifications, a mute, and a row of the history that nobody wrote.
 */
export async function makeSampleWorld(scope: Scope): Promise<BrowserWorld> {
  const world = await makeBrowserWorld(scope);
  const command = 'echo a line of the sample; exit 3';
  await world.addJob({ name: 'sample', command, group: 'shop', tag: ['nightly'] });
  await world.run('sample', 'sample-run');
  await until('the end of the sample', async () => {
    const { result } = await world.read<{ result: string | null }>('runs/sample-run');
    return result;
  });
  await world.addJob({ name: 'half-monthly', command: 'true', cron: '0 0 1,15 * *' });
  await world.addGroup('web', ['web1', 'web2']);
  await world.change('PUT', 'limits/shop', 200, { max: 3 });
  const target = { name: 'ops', kind: 'mail', address: 'ops@example.com', events: ['missed'] };
  await world.change('POST', 'notify/targets', 201, target);
  await world.change('POST', 'notify/targets/ops/test', 202);
  await world.change('PUT', 'notify/mutes/group/shop', 200, { until: '1h', note: 'new disk' });
  await world.store.rows(`INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
      ended_at, result)
    SELECT job_id, 1, 'schedule', 1, NOW(3), NOW(3), 'skipped'
    FROM job WHERE name = 'half-monthly'`);
  return world;
}
