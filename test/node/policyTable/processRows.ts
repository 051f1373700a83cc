import assert from 'node:assert/strict';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { whyJob } from '../../../src/store/why/whyJob.ts';
import type { TableRow } from './tableWorld.ts';

const skip = process.getuid?.() === 0 ? false : 'not run: this is not root';

/** What a run's process is. The node of the rows allows the user `nobody`. */
export const processRows: readonly TableRow[] = [
  {
    title: 'user NAME: the run is that user; only a node that is root and allows the user takes it',
    skip,
    prepare: async (world) => {
      for (const user of ['nobody', 'daemon']) {
        await world.job(`as ${user}`, { cron: ['@manual'], command: 'id -un', user, cwd: '/' });
      }
    },
    holds: async (world) => {
      for (const user of ['nobody', 'daemon']) await runJob(world.channel, `as ${user}`, user);
      const [allowed] = await world.history('as nobody', 1);
      assert.deepEqual([allowed?.result, allowed?.output], ['succeeded', 'nobody\n']);
      const { state, checks } = await whyJob(world.channel, 'as daemon');
      const kept = checks.find(({ check }) => check === 'user');
      assert.deepEqual([state, kept?.reason], ['cannot_run', reasons.noEligibleNode]);
      assert.match(kept?.hint ?? '', /--allow-user daemon/);
    },
  },
  {
    title: 'umask, nice, memory-max, cpu-time-max: in force for the run and all of its processes',
    prepare: (world) =>
      world.job('limited', {
        cron: ['@manual'],
        command: "bash -c 'umask; nice; ulimit -v; ulimit -St'",
        ...{ umask: '027', nice: 19, memoryMax: 512 * 2 ** 20, cpuTimeMax: 7_000 },
      }),
    holds: async (world) => {
      await runJob(world.channel, 'limited', 'limited');
      const [row] = await world.history('limited', 1);
      assert.equal(row?.output, '0027\n19\n524288\n7\n', row?.reason);
    },
  },
];
