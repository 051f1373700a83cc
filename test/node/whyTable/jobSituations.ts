import { goLive, pauseJob, removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { skipNext } from '../../../src/store/jobs/changes/skipNext.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { whyJob } from '../../../src/store/why/whyJob.ts';
import { until } from '../../support/until.ts';
import { instant } from '../policyTable/tableWorld.ts';
import {
  asRoot,
  everySecond,
  type ReasonWorld,
  withinMs,
  yearly,
} from '../reasonTable/reasonWorld.ts';
import { nothing, ofRevision, ofRuns, type Situation } from './situation.ts';

const dayMs = 86_400_000;

/** What operators, the schedule and the job's own limits keep. */
export const jobSituations: readonly Situation[] = [
  {
    ...{ title: 'paused', with: 'no node' },
    cause: async (world, name) => {
      await world.missed(name, {});
      await pauseJob(world.channel, name);
    },
    ...{ fails: 'paused', state: 'paused' },
  },
  {
    ...{ title: 'paused for an hour', with: 'no node' },
    cause: async (world, name) => {
      await world.missed(name, {});
      await pauseJob(world.channel, name, { forMs: 3_600_000 });
    },
    ...{ fails: 'paused', state: 'paused' },
  },
  {
    ...{ title: 'removed', with: 'no node' },
    cause: async (world, name) => {
      await world.missed(name, {});
      await removeJob(world.channel, name);
    },
    ...{ fails: 'exists', state: 'removed' },
  },
  {
    title: 'runs out',
    cause: async (world, name) => {
      await world.main(name, { cron: everySecond, maxRuns: 1 });
      await pausedItself(world, name);
    },
    ...{ fails: 'run-limits', state: 'paused', afterwards: ofRevision },
  },
  {
    title: 'gives up',
    cause: async (world, name) => {
      await world.main(name, { cron: everySecond, command: 'false', pauseAfterFailures: 1 });
      await pausedItself(world, name);
    },
    ...{ fails: 'paused', state: 'paused', afterwards: ofRevision },
  },
  {
    title: 'observed',
    cause: (world, name) => world.main(name, { cron: everySecond, observed: true }),
    ...{ fails: 'observed', state: 'observed' },
    release: async (world, name) => {
      await world.history(name, 2);
      await goLive(world.channel, name);
    },
  },
  {
    title: 'skipped',
    cause: async (world, name) => {
      await world.main(name, { cron: yearly });
      await skipNext(world.channel, name, 1);
    },
    ...{ fails: 'skipped', state: 'idle' },
  },
  {
    title: 'its window is to come',
    cause: async (world, name) => {
      const notBefore = instant(Date.now() + dayMs);
      await world.main(name, { cron: everySecond, notBefore });
      await world.passes(1.5);
    },
    ...{ fails: 'window', state: 'idle', afterwards: nothing },
  },
  {
    title: 'its window is over',
    cause: async (world, name) => {
      const notAfter = instant(Date.now() + 2_000);
      await world.main(name, { cron: yearly, notAfter });
      await world.passes(4);
    },
    ...{ fails: 'window', state: 'idle', afterwards: nothing },
  },
  {
    title: 'excluded',
    cause: async (world, name) => {
      const day = (ms: number) => instant(ms).slice(0, 10);
      const exclude = [-dayMs, 0, dayMs].map((each) => day(Date.now() + each));
      await world.main(name, { cron: everySecond, exclude });
      await world.passes(1.5);
    },
    ...{ fails: 'exclusions', state: 'idle', afterwards: nothing },
  },
  {
    title: 'after one that failed',
    cause: async (world, name) => {
      await world.main('fails first', { command: 'false' });
      await world.main(name, { after: ['fails first:success'] });
      await runJob(world.channel, 'fails first', 'fails first');
      await world.history('fails first', 1);
    },
    ...{ fails: 'chain', state: 'idle', afterwards: nothing },
  },
  {
    title: 'after one that has not run',
    cause: async (world, name) => {
      await world.main('comes first', {});
      await world.main(name, { after: ['comes first'] });
    },
    ...{ fails: 'chain', state: 'idle', afterwards: nothing },
  },
  {
    title: 'for a node that is gone',
    cause: async (world, name) => {
      await world.rows(insertGhost);
      await world.main(name, { command: world.gated(name) });
      await world.executes(name);
      await runJob(world.channel, name, 'for ghost', { wantedNode: 'main' });
      await world.rows(moveToGhost, ['for ghost']);
    },
    fails: 'requests',
    release: async (world, name) => {
      world.open(name);
      await world.rows(
        "UPDATE session SET ended_at = NOW(3) - INTERVAL 1 HOUR WHERE session_id = 'ghost'",
      );
    },
  },
  {
    ...{ title: 'as a user whom its node refuses', skip: asRoot },
    cause: async (world, name) => {
      await world.triedOnce(name, { user: 'daemon' });
      await world.history(name, 1);
    },
    ...{ fails: 'user', state: 'idle', afterwards: ofRuns },
  },
];

async function pausedItself(world: ReasonWorld, name: string): Promise<void> {
  const isPaused = async () => (await whyJob(world.channel, name)).job.isPaused;
  await until(`${name} is paused`, isPaused, withinMs);
}

const insertGhost = `INSERT INTO session (session_id, node_name, state, ttl_ms, started_at,
    renewed_at, ended_at, reaped_at, host, process_id, version, timezone_data, capacity,
    concurrency)
  VALUES ('ghost', 'ghost', 'ended', 1000, NOW(3), NOW(3), NOW(3), NOW(3), 'h', 1, '0', '', 1, 1)`;
const moveToGhost = "UPDATE launch_request SET wanted_node = 'ghost' WHERE request_id = ?";
