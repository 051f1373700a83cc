import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { rankedOn } from './placeRows.ts';
import { type TableRow, type TableWorld, waitMsMax } from './tableWorld.ts';

/** On `first` they run until it is lost, elsewhere they end. */
const lossy = {
  cron: ['* * * * * *'],
  command: '[ "$STATECRON_NODE" != first ] || sleep 300',
  onNode: ['first', 'second'],
};
const losers = ['lost', 'reruns', 'retries lost'] as const;

async function killFirst(world: TableWorld): Promise<void> {
  const first = world.nodes.get('first');
  if (first === undefined) return;
  for (const name of losers) await world.executing(name, 1);
  // Its guardian would start another.
  first.guardian.kill('SIGKILL');
  await first.exited();
  world.nodes.delete('first');
}

/** These lose the node `first`: they come last, one after the other. */
export const lossRows: readonly TableRow[] = [
  {
    title: 'node-loss skip (default): the run is lost; the next tick is next',
    prepare: (world) => world.job('lost', lossy),
    holds: async (world) => {
      await killFirst(world);
      const [lost] = await world.history('lost', 1, 'lost');
      assert.deepEqual([lost?.is_final, lost?.node_name], [1, 'first']);
      const [next] = await world.history('lost', 1, 'succeeded');
      assert.equal(next?.node_name, 'second');
      assert.ok(next?.scheduled_for > lost?.scheduled_for);
      assert.equal(next?.attempt, 1);
    },
  },
  {
    title: 'node-loss rerun: the tick runs again, on any node that may, up to 10 times',
    prepare: (world) => world.job('reruns', { ...lossy, nodeLoss: 'rerun' }),
    holds: (world) => requireRerun(world, 'reruns', 0),
  },
  {
    title: 'retry-on node-loss: a lost run is tried again as a failed one is',
    prepare: (world) =>
      world.job('retries lost', {
        ...lossy,
        ...{ retries: 10, retryOn: ['node-loss'], retryDelay: 1_000, retryJitter: false },
      }),
    holds: (world) => requireRerun(world, 'retries lost', 1_000),
  },
  {
    title: 'level 2: takes what no node above may, and all of it once they are gone',
    holds: async (world) => {
      const [row] = await world.rows(
        "SELECT MAX(ended_at) AS at FROM session WHERE state = 'ended'",
      );
      const nodes = await until('it has some', async () => {
        const names = await rankedOn(world, row?.at.getTime());
        return names.includes('second') && names;
      });
      assert.ok(!nodes.includes('first'));
    },
  },
  {
    title: 'level 0: never takes any',
    holds: async (world) => {
      const one = "run JOIN session USING (session_id) WHERE session.node_name = 'never'";
      assert.equal(await world.count(one), 0);
      assert.equal(await world.count("session WHERE node_name = 'never' AND state = 'live'"), 1);
    },
  },
];

async function requireRerun(world: TableWorld, name: string, delayMs: number): Promise<void> {
  const [lost] = await world.history(name, 1, 'lost');
  assert.deepEqual([lost?.is_final, lost?.node_name], [0, 'first']);
  const look = async () => {
    const rows = await world.history(name, 1, 'succeeded');
    // Where the machine stands still for a lease the second is lost, too.
    return rows.find((row) => row.attempt > 1);
  };
  const again = await until('its next attempt', look, waitMsMax);
  assert.equal(again.node_name, 'second');
  assert.deepEqual(again.scheduled_for, lost?.scheduled_for);
  assert.ok(again.started_at.getTime() - lost?.ended_at.getTime() >= delayMs);
}
