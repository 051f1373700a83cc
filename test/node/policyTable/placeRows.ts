import assert from 'node:assert/strict';
import { newDefinition } from '../../../src/domain/job/edit/buildDefinition.ts';
import { readCluster } from '../../../src/store/cluster/clusterView.ts';
import type { Row } from '../../../src/store/connection/channel.ts';
import { changeGroup } from '../../../src/store/groups/changeGroup.ts';
import { changeLimit } from '../../../src/store/groups/changeLimit.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { mostAtOnce } from '../../support/mostAtOnce.ts';
import { until } from '../../support/until.ts';
import { reportedTicks, type TableRow, type TableWorld } from './tableWorld.ts';

/**
 * The nodes of the rows: `first` (level 1, disk=ssd), `second` (2), `never` (0), `always` (-1).
 * `second` takes what `first` may not, and all of it once that is gone.
 */
export const nodeFlags: Readonly<Record<string, readonly string[]>> = {
  first: ['--level', '1', '--label', 'disk=ssd'],
  second: ['--level', '2'],
  never: ['--level', '0'],
  always: ['--level', '-1'],
};

const cron = ['* * * * * *'];
const command = 'true';
/** Jobs enough that every node that may take some has got some. */
const ranked = Array.from({ length: 12 }, (_, place) => `ranked ${place}`);

const namesOf = (rows: readonly Row[]): string[] => [
  ...new Set(rows.map((row) => row.node_name as string)),
];

const tickMsOf = (row: Row): number => row.scheduled_for.getTime();

/** The nodes that have started the job, in the order of their names. */
async function ranOn(world: TableWorld, name: string, rowsMin = 3): Promise<string[]> {
  return namesOf(await world.history(name, rowsMin, 'succeeded')).sort();
}

/** The nodes that the ranked jobs ran on, since an instant. */
export async function rankedOn(world: TableWorld, sinceMs = 0): Promise<string[]> {
  const all: Row[] = [];
  for (const name of ranked) all.push(...(await world.history(name, 1, 'succeeded')));
  return namesOf(all.filter((row) => row.scheduled_for.getTime() >= sinceMs)).sort();
}

async function edit(world: TableWorld, group: string, nodes: readonly string[]): Promise<void> {
  await changeGroup(world.channel, group, () => nodes);
}

export const placeRows: readonly TableRow[] = [
  {
    title: 'level 1 (default): takes the work while it lives',
    prepare: async (world) => {
      for (const name of ranked) await world.job(name, { cron, command });
    },
    holds: async (world) => {
      const nodes = await until('it has some', async () => {
        const names = await rankedOn(world);
        return names.includes('first') && names;
      });
      assert.ok(!nodes.includes('second'), `${nodes}`);
    },
  },
  {
    title:
      'level -1: takes no part in the choice; ' +
      'runs each tick itself, beside the node that is chosen',
    prepare: (world) => world.job('beside', { cron, command }),
    holds: async (world) => {
      const of = (rows: readonly Row[], isBeside: boolean) =>
        rows.filter((row) => (row.slot_node_name === 'always') === isBeside);
      const run = (rows: readonly Row[]) =>
        rows.filter((row) => row.result === 'succeeded').map(tickMsOf);
      const rows = await until('both have run some', async () => {
        const all = await world.history('beside', 6);
        return [true, false].every((isBeside) => run(of(all, isBeside)).length >= 3) && all;
      });
      const [chosen, beside] = [of(rows, false), of(rows, true)];
      for (const row of rows.filter(({ result }) => result === 'succeeded')) {
        assert.equal(row.node_name === 'always', row.slot_node_name === 'always');
      }
      const fromMs = Math.max(Math.min(...run(chosen)), Math.min(...run(beside)));
      const untilMs = Math.min(Math.max(...run(chosen)), Math.max(...run(beside)));
      // On a slow machine one of them may be too late for a tick: it reports that in a row.
      const owed = Array.from(
        { length: (untilMs - fromMs) / 1000 + 1 },
        (_, n) => fromMs + n * 1000,
      );
      for (const own of [chosen, beside]) {
        const reported = own
          .flatMap((row) => reportedTicks(row, 1_000))
          .filter((ms) => ms >= fromMs && ms <= untilMs);
        assert.deepEqual(reported.sort(), owed, 'each tick, both of them');
      }
    },
  },
  {
    title: 'kind single (default): one node is chosen for each tick, and runs it',
    prepare: (world) => world.job('single', { cron, command }),
    holds: async (world) => {
      // A tick that a node missed is nobody's, and one of those that level -1 owes as well.
      const rows = await world.history('single', 10, 'succeeded');
      const ticks = rows.filter((row) => row.node_name !== 'always').map(tickMsOf);
      assert.equal(new Set(ticks).size, ticks.length);
    },
  },
  {
    title: 'kind every-node: every node that may, at any level but 0, runs each tick itself',
    prepare: (world) => world.job('everywhere', { cron, command, kind: 'every-node' }),
    holds: async (world) => {
      const rows = await until('all have some', async () => {
        const all = await world.history('everywhere', 3, 'succeeded');
        return namesOf(all).length >= 3 && all;
      });
      assert.deepEqual(namesOf(rows).sort(), ['always', 'first', 'second']);
      const of = (name: string) =>
        rows
          .filter((row) => row.node_name === name)
          .map((row) => row.scheduled_for.getTime() as number);
      for (const name of namesOf(rows)) assert.equal(new Set(of(name)).size, of(name).length);
    },
  },
  {
    title: 'kind every-node, with parallel N: N runs at once on each of them; N is 1,000 at most',
    prepare: (world) =>
      world.job('wide', { cron, command: world.gated('wide'), kind: 'every-node', parallel: 2 }),
    holds: async (world) => {
      // These alone have waited for the gate: what comes after them ends at once.
      const gated = await world.executing('wide', 6);
      world.open('wide');
      const rows = await until('their rows', async () => {
        const all = await world.history('wide', 6, 'succeeded');
        const own = all.filter((row) => gated.includes(row.launch_id));
        return own.length === 6 && own;
      });
      assert.deepEqual(namesOf(rows).sort(), ['always', 'first', 'second']);
      for (const name of namesOf(rows)) {
        assert.equal(mostAtOnce(rows.filter((row) => row.node_name === name)), 2, name);
      }
      const wider = () => newDefinition('wider', { cron, command, parallel: 1_001 }, Date.now());
      assert.throws(wider, { code: 'bad_parallel' });
    },
  },
  {
    title: 'on-node NAME: it runs there and nowhere else',
    prepare: (world) => world.job('there', { cron, command, onNode: ['second'] }),
    holds: async (world) => assert.deepEqual(await ranOn(world, 'there'), ['second']),
  },
  {
    title: 'on-label NAME=VALUE or NAME: on nodes with the label',
    prepare: async (world) => {
      await world.job('on ssd', { cron, command, onLabel: ['disk=ssd'] });
      await world.job('on disk', { cron, command, onLabel: ['disk'] });
      await world.job('on hdd', { cron, command, onLabel: ['disk=hdd'] });
    },
    holds: async (world) => {
      for (const name of ['on ssd', 'on disk']) {
        assert.deepEqual(await ranOn(world, name), ['first']);
      }
      assert.equal(await world.count("run JOIN job USING (job_id) WHERE name = 'on hdd'"), 0);
    },
  },
  {
    title: 'on-group GROUP: on nodes of the group, as it is then; jobs follow its edits',
    prepare: async (world) => {
      await edit(world, 'edited', ['second']);
      await world.job('follows', { cron, command, onGroup: ['edited'] });
    },
    holds: async (world) => {
      assert.deepEqual(await ranOn(world, 'follows'), ['second']);
      await edit(world, 'edited', ['first']);
      // What was started before the edit was is as it was; whatever starts after it is not.
      const [row] = await world.rows('SELECT NOW(3) AS at');
      const later = await until('it has followed', async () => {
        const rows = await world.history('follows', 1);
        const started = rows.filter((each) => each.started_at > row?.at);
        return started.length >= 3 && started;
      });
      assert.deepEqual(namesOf(later), ['first']);
    },
  },
  {
    title: 'not-on-node, not-on-label, not-on-group: never there, whatever else names the node',
    prepare: async (world) => {
      await edit(world, 'unwanted', ['first']);
      const onNode = ['first', 'second'];
      await world.job('no node', { cron, command, onNode, notOnNode: ['first'] });
      await world.job('no label', { cron, command, onNode, notOnLabel: ['disk'] });
      await world.job('no group', { cron, command, onNode, notOnGroup: ['unwanted'] });
    },
    holds: async (world) => {
      for (const name of ['no node', 'no label', 'no group']) {
        assert.deepEqual(await ranOn(world, name), ['second']);
      }
    },
  },
  {
    title: 'no node that may: cluster names the job; when one comes, misfire decides',
    prepare: async (world) => {
      await edit(world, 'nobody', []);
      await world.job('waits', { cron, command, onGroup: ['nobody'] });
    },
    holds: async (world) => {
      const shown = await readCluster(world.channel, { endedWithinMs: 0, sessionsMax: 10 });
      assert.deepEqual(shown.unrunnable.names, ['waits', 'on hdd'].sort());
      assert.equal(await world.count("run JOIN job USING (job_id) WHERE name = 'waits'"), 0);
      await until('two of its ticks are over', async () => (await world.count(overdue)) === 1);
      await edit(world, 'nobody', ['second']);
      const [missed, made] = await world.history('waits', 2);
      assert.deepEqual([missed?.result, missed?.node_name], ['missed', null]);
      assert.deepEqual([made?.triggered_by, made?.node_name], ['misfire', 'second']);
    },
  },
  {
    title: 'limit set GROUP N: the jobs of the group have N launches at most, on all nodes',
    prepare: async (world) => {
      await changeLimit(world.channel, 'few', 2);
      for (const name of ['few 1', 'few 2', 'few 3', 'few 4']) {
        await world.job(name, { cron, command: 'sleep 0.7', group: 'few' });
      }
    },
    holds: async (world) => {
      const rows = await until('some have run', async () => {
        const all = await world.rows(selectFew);
        return all.length >= 6 && all;
      });
      assert.ok(mostAtOnce(rows) <= 2, `${mostAtOnce(rows)} at once`);
    },
  },
  {
    title: 'job run --node NAME: on that node alone, which must be live and one that takes it',
    prepare: (world) => world.job('sent', { cron: ['@manual'], command }),
    holds: async (world) => {
      await runJob(world.channel, 'sent', 'sent', { wantedNode: 'always' });
      assert.deepEqual(await ranOn(world, 'sent', 1), ['always']);
      const gone = runJob(world.channel, 'sent', 'gone', { wantedNode: 'nobody' });
      await assert.rejects(gone, { name: 'OperatorError' });
    },
  },
];

const selectFew = `SELECT run.* FROM run JOIN job USING (job_id)
  WHERE job.name LIKE 'few %' AND run.result = 'succeeded'`;

const overdue = `slot JOIN job USING (job_id)
  WHERE name = 'waits' AND next_run_at < NOW(3) - INTERVAL 2 SECOND`;
