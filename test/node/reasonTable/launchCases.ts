import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { launchReasons } from '../../../src/domain/reasons/reasons.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { bulkJobs } from '../../../src/store/jobs/bulk/bulkJobs.ts';
import { pauseJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { showJob } from '../../../src/store/jobs/showJob.ts';
import { retryRun } from '../../../src/store/requests/retryRun.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { stopRequest, stopRun } from '../../../src/store/requests/stopRun.ts';
import { showRun } from '../../../src/store/runs/showRun.ts';
import { until } from '../../support/until.ts';
import { patient } from '../nodeProcess.ts';
import { loudOutput } from './killGone.ts';
import {
  type CasesOf,
  type Explained,
  everySecond,
  type ReasonWorld,
  withinMs,
} from './reasonWorld.ts';

export const launchCases: CasesOf<typeof launchReasons> = {
  lost: { cause: (world) => world.says('lost', reasons.lost(null)) },
  notStarted: { cause: (world) => world.says('unanswered', reasons.notStarted) },
  stoppedByOperator: {
    cause: async (world) => {
      await world.main('held', { command: world.gated('held') });
      await world.executes('held');
      await runJob(world.channel, 'held', 'withdrawn');
      await stopRequest(world.channel, 'held', 'withdrawn');
      world.open('held');
      return world.says('held', reasons.stoppedByOperator);
    },
  },
  triedAgain: {
    cause: async (world) => {
      await world.runsOnce('fails', { command: 'false' });
      const [failed] = await world.history('fails', 1);
      await retryRun(world.channel, failed?.launch_id as string);
      return world.says('fails', reasons.triedAgain);
    },
  },
  recordedLate: { cause: (world) => world.says('finishes', reasons.recordedLate) },
  chainWaits: {
    cause: async (world) => {
      await world.main('head', {});
      await world.main('follows', { after: ['head'], command: world.gated('follows') });
      await runJob(world.channel, 'head', 'starts one');
      await world.executing('follows', 1);
      for (const [place, request] of ['has one wait', 'comes too soon'].entries()) {
        await runJob(world.channel, 'head', request);
        await world.history('head', place + 2);
      }
      const said = await world.says('follows', reasons.chainWaits);
      world.open('follows');
      return said;
    },
  },
  nodeGone: { cause: (world) => world.says('lost', reasons.nodeGone('ghost')) },
  noPlace: {
    cause: async (world) => {
      await world.main('goes before', {});
      const words = { kind: 'every-node', onNode: ['nobody here'] } as const;
      await world.main('nowhere', { ...words, after: ['goes before'] });
      await runJob(world.channel, 'goes before', 'goes before');
      return world.says('nowhere', reasons.noPlace);
    },
  },
  replaced: {
    cause: async (world) => {
      await world.main('replaced', {
        ...{ cron: everySecond, command: world.gated('replaced'), overlap: 'replace' },
      });
      return world.says('replaced', reasons.replaced('replace'));
    },
  },
  nodeStopped: {
    cause: async (world) => {
      const node = world.start('leaves', [...patient, '--drain-timeout', '100ms']);
      await node.session();
      await world.main('leaves', { command: 'sleep 300', onNode: ['leaves'] });
      await world.executes('leaves');
      node.guardian.kill('SIGTERM');
      await node.exited();
      assert.match(node.log(), /a run is stopped, which has not ended in time/);
      return world.says('leaves', reasons.nodeStopped('leaves', 100));
    },
  },
  outputDropped: { cause: (world) => world.says('loud', reasons.outputDropped(loudOutput)) },
  outputRefused: {
    cause: async (world) => {
      // As a server does whose packets are too small for it.
      await world.rows(`CREATE TRIGGER refuse BEFORE INSERT ON run_output FOR EACH ROW
        IF NEW.output = 'too much' THEN SIGNAL SQLSTATE '45000'; END IF`);
      await world.runsOnce('refused', { command: 'printf "too much"' });
      return world.says('refused', reasons.outputRefused(8));
    },
  },
  outputIncomplete: {
    cause: async (world) => {
      await world.main('blocked', { command: 'echo output' });
      const [job] = await world.rows("SELECT job_id FROM job WHERE name = 'blocked'");
      const folder = join(world.folder, 'outputs', `${job?.job_id}`);
      await writeFile(folder, '');
      await runJob(world.channel, 'blocked', 'blocked');
      return world.says(
        'blocked',
        reasons.outputIncomplete('output file', 'ENOTDIR, not a directory'),
      );
    },
  },
  waits: {
    cause: async (world) => {
      await world.main('asked twice', { command: world.gated('asked twice') });
      await world.executes('asked twice');
      await runJob(world.channel, 'asked twice', 'is second');
      const { reason } = await showRun(world.channel, 'is second');
      world.open('asked twice');
      return [reason ?? '', reasons.waits];
    },
  },
  beingStopped: {
    cause: async (world) => {
      await world.main('ending', { command: world.stubborn('ending'), grace: 60_000 });
      const launchId = await world.executes('ending');
      await world.ignoresSigterm('ending');
      await stopRun(world.channel, launchId);
      const { reason } = await showRun(world.channel, launchId);
      world.open('ending');
      return [reason ?? '', reasons.beingStopped];
    },
  },
  ranOut: {
    cause: async (world) => {
      await world.main('runs out', { cron: everySecond, maxRuns: 1 });
      return whyPaused(world, 'runs out', reasons.ranOut(1));
    },
  },
  failedOut: {
    cause: async (world) => {
      const words = { cron: everySecond, command: 'false', pauseAfterFailures: 1 };
      await world.main('gives up', words);
      return whyPaused(world, 'gives up', reasons.failedOut(1));
    },
  },
  pausedBy: {
    cause: async (world) => {
      await world.main('held alone', { cron: ['@daily'] });
      await pauseJob(world.channel, 'held alone', null, 'a move');
      return whyPaused(world, 'held alone', reasons.pausedBy('statecron', 'a move'));
    },
  },
  pausedTogether: {
    cause: async (world) => {
      await world.main('held with others', { cron: ['@daily'] });
      const filter = { names: ['held with others'] };
      const scope = 'group "web"';
      await bulkJobs(world.channel, {
        ...{ action: 'pause', filter, scope, note: 'a move', expected: 1 },
      });
      const says = reasons.pausedTogether(scope, 'statecron', 'a move');
      return whyPaused(world, 'held with others', says);
    },
  },
};

async function whyPaused(world: ReasonWorld, name: string, says: Explained[1]): Promise<Explained> {
  const isPaused = async () => {
    const { revisions } = await showJob(world.channel, name);
    return revisions.find((revision) => revision.isPaused)?.reason;
  };
  const reason = await until(`${name} is paused`, isPaused, withinMs);
  return [reason, says];
}
