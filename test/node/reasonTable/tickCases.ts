import { checkBackup, restoreBackup } from '../../../src/cli/backup/restoreAction.ts';
import { writeBackupFile } from '../../../src/cli/backup/writeBackupFile.ts';
import type { tickReasons } from '../../../src/domain/reasons/reasons.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { confirmRestore } from '../../../src/store/backup/confirmRestore.ts';
import { readBackup } from '../../../src/store/backup/readBackup.ts';
import { cordonNode, uncordonNode } from '../../../src/store/cluster/holdNode.ts';
import { changeLimit } from '../../../src/store/groups/changeLimit.ts';
import { editJob, pauseJob, removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { skipNext } from '../../../src/store/jobs/changes/skipNext.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { startCutProxy } from '../../support/cutProxy.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { patient } from '../nodeProcess.ts';
import { type CasesOf, everySecond, fillQueue, yearly } from './reasonWorld.ts';

export const tickCases: CasesOf<typeof tickReasons> = {
  stillGoing: {
    cause: async (world) => {
      await world.main('busy', { cron: everySecond, command: world.gated('busy') });
      await world.overlapped('busy');
      world.open('busy');
      return world.says('busy', reasons.stillGoing);
    },
  },
  oneWaits: {
    cause: async (world) => {
      const words = { cron: everySecond, command: world.gated('queues') };
      await world.main('queues', { ...words, overlap: 'queue' });
      await world.overlapped('queues');
      world.open('queues');
      return world.says('queues', reasons.oneWaits);
    },
  },
  queueIsFull: {
    cause: async (world) => {
      const words = { cron: everySecond, command: world.gated('queues all') };
      await world.main('queues all', { ...words, overlap: 'queue-all' });
      await world.overlapped('queues all');
      await world.rows(fillQueue, ['queues all']); // as a quarter of an hour would
      world.open('queues all');
      return world.says('queues all', reasons.queueIsFull);
    },
  },
  laterTick: {
    cause: async (world) => {
      const words = { cron: everySecond, command: world.stubborn('stays') };
      await world.main('stays', { ...words, overlap: 'replace', grace: 60_000 });
      await world.ignoresSigterm('stays');
      await world.overlapped('stays');
      world.open('stays');
      return world.says('stays', reasons.laterTick);
    },
  },
  gaveWay: {
    cause: async (world) => {
      const words = { cron: yearly, command: world.stubborn('gives way') };
      await world.runsOnce('gives way', { ...words, overlap: 'replace', grace: 60_000 });
      await world.ignoresSigterm('gives way');
      await runJob(world.channel, 'gives way', 'comes first');
      await world.due('gives way', 1); // one tick: of several, the last might come after the run
      await world.passes(1.5);
      world.open('gives way');
      return world.says('gives way', reasons.gaveWay);
    },
  },
  nobodyThere: {
    prepare: (world) => world.missed('nobody', {}),
    cause: (world) => world.says('nobody', reasons.nobodyThere),
  },
  noEligibleNode: {
    prepare: (world) => world.missed('waits for bare', { onNode: ['bare'] }),
    cause: (world) => world.says('waits for bare', reasons.noEligibleNode),
  },
  limitReached: {
    cause: async (world) => {
      await changeLimit(world.channel, 'narrow', 1);
      await world.main('holds', { group: 'narrow', command: world.gated('holds') });
      await world.executes('holds');
      await world.missed('limited', { group: 'narrow' });
      // Who claims anything sees which groups are full.
      await world.runsOnce('claimed beside', {});
      await world.history('claimed beside', 1);
      world.open('holds');
      return world.says('limited', reasons.limitReached);
    },
  },
  notTaken: {
    cause: async (world) => {
      await world.main('fills', { onNode: ['poor'], command: world.gated('fills') });
      await world.executes('fills');
      await world.missed('crowded', { onNode: ['poor'] });
      world.open('fills');
      return world.says('crowded', reasons.notTaken);
    },
  },
  databaseAway: {
    cause: async (world) => {
      const proxy = await startCutProxy(world.scope, world.url);
      const node = world.start('cut off', [...patient, '--threads', '1'], proxy.url);
      await node.session();
      const command = world.gated('cut off');
      await world.main('cut off', { onNode: ['cut off'], cron: everySecond, command });
      await world.overlapped('cut off');
      const comeBack = proxy.goAway();
      // Of a launch that is only prepared then, the ticks that follow are overlapped.
      world.open('cut off');
      await world.passes(8);
      comeBack();
      return world.says('cut off', reasons.databaseAway);
    },
  },
  cordoned: {
    cause: async (world) => {
      // The node that starts last, once what it found missed is accounted for.
      await world.history('waits for bare', 1);
      await world.rows(setThere);
      await cordonNode(world.channel, 'bare');
      await world.missed('cordoned', { onNode: ['bare'] });
      await world.rows('UPDATE node_hold SET held_since = held_since - INTERVAL 1 MINUTE');
      await uncordonNode(world.channel, 'bare');
      return world.says('cordoned', reasons.cordoned);
    },
  },
  tooOld: {
    prepare: (world) => world.missed('old', { misfire: 'once', catchUp: 5_000 }),
    cause: (world) => world.says('old', reasons.tooOld),
  },
  tooLate: {
    prepare: (world) => world.missed('late', { misfire: 'once', startDeadline: 5_000 }),
    cause: (world) => world.says('late', reasons.tooLate),
  },
  edited: {
    prepare: async (world) => {
      await world.missed('edited', { cron: everySecond, misfire: 'all' });
      await editJob(world.channel, 'edited', (job) => ({ ...job, schedule: yearly.join() }));
    },
    cause: (world) => world.says('edited', reasons.edited),
  },
  nodeForgotten: {
    prepare: (world) => world.main('forgotten', { ...everywhere, onNode: ['gone'] }),
    cause: (world) => world.says('forgotten', reasons.nodeForgotten),
  },
  nodeNotMeant: {
    prepare: (world) => world.main('meant', { ...everywhere, onNode: ['gone'] }),
    cause: (world) => world.says('meant', reasons.nodeNotMeant),
  },
  kindChanged: {
    prepare: async (world) => {
      await world.missed('kind', { misfire: 'once' });
      await editJob(world.channel, 'kind', (job) => ({ ...job, kind: 'every-node', format: 3 }));
    },
    cause: (world) => world.says('kind', reasons.kindChanged),
  },
  paused: {
    prepare: async (world) => {
      await world.missed('paused', {});
      await pauseJob(world.channel, 'paused');
    },
    cause: (world) => world.says('paused', reasons.paused),
  },
  removed: {
    prepare: async (world) => {
      await world.missed('removed', {});
      await removeJob(world.channel, 'removed');
    },
    cause: (world) => world.says('removed', reasons.removed),
  },
  skipped: {
    cause: async (world) => {
      await world.main('skipped', { cron: yearly });
      await skipNext(world.channel, 'skipped', 1);
      return world.says('skipped', reasons.skipped);
    },
  },
  observed: {
    cause: async (world) => {
      await world.main('observed', { cron: everySecond, observed: true });
      return world.says('observed', reasons.observed);
    },
  },
  // What writes it is the command alone: no node may be there.
  restored: {
    cause: async (world) => {
      const copy = await makeStoreWorld(world.scope, 'mariadb');
      const file = `${world.folder}/backup.gz`;
      const options = { hasHistory: true, version: '0.0.1' };
      await world.missed('restored', { onNode: ['nobody here'] });
      await writeBackupFile(file, (sink) => readBackup(world.channel, options, sink));
      const checked = await checkBackup(file);
      await restoreBackup(copy.channel, checked, false);
      await confirmRestore(copy.channel);
      const [row] = await copy.rows(selectRestored);
      return [row?.reason as string, reasons.restored(checked.head.takenMs)];
    },
  },
};

/** As if it had been there, and cordoned, when the tick came. */
const setThere = `UPDATE session SET started_at = NOW(3) - INTERVAL 1 HOUR
  WHERE node_name = 'bare' AND state = 'live'`;
const everywhere = { cron: yearly, kind: 'every-node' } as const;
const selectRestored = `SELECT reason FROM run JOIN job USING (job_id)
  WHERE name = 'restored' AND result = 'missed'`;
