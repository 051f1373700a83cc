import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NotificationTarget } from '../../../src/domain/notifications/notificationTarget.ts';
import type { Channel } from '../../../src/store/connection/channel.ts';
import { changeGroup } from '../../../src/store/groups/changeGroup.ts';
import { changeLimit } from '../../../src/store/groups/changeLimit.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import {
  editJob,
  pauseJob,
  removeJob,
  resumeJob,
} from '../../../src/store/jobs/changes/changeJob.ts';
import {
  addNotificationTarget,
  editNotificationTarget,
  removeNotificationTarget,
} from '../../../src/store/notifications/targets/changeTarget.ts';
import { backfillJob } from '../../../src/store/requests/backfillJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { stopRequest } from '../../../src/store/requests/stopRun.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import { revokeToken } from '../../../src/store/tokens/revokeToken.ts';
import { startCutProxy } from '../../support/cutProxy.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { definitionOf, openChannel, revisionsOf } from '../verify/assertAccounted.ts';

const target: Omit<NotificationTarget, 'name'> = {
  ...{ kind: 'mail', address: 'ops@example.com', secret: null },
  ...{ events: ['failure'], longMs: null, minuteMax: 10 },
};
const days = { fromMs: 1_577_836_800_000, untilMs: 1_578_009_600_000, ticksMax: 10 } as const;

interface Case {
  readonly statement: string;
  readonly prepare?: (channel: Channel, name: string) => Promise<unknown>;
  readonly change: (channel: Channel, name: string) => Promise<unknown>;
  readonly answer: unknown;
}

/** What each change answers when nothing is lost, of a job that is paused. */
const cases: Record<string, Case> = {
  'a pause of what is paused': {
    ...{ statement: 'pauseJob', answer: false },
    change: async (channel, name) => (await pauseJob(channel, name)).isChanged,
  },
  'a resume': {
    ...{ statement: 'resumeJob', answer: true },
    change: async (channel, name) => (await resumeJob(channel, name)).isChanged,
  },
  'an edit that changes nothing': {
    ...{ statement: 'editJob', answer: false },
    change: async (channel, name) => (await editJob(channel, name, (same) => same)).isChanged,
  },
  'a removal': {
    ...{ statement: 'removeJob', answer: [true, 3] },
    change: async (channel, name) => {
      const { isChanged, revision } = await removeJob(channel, name);
      return [isChanged, revision];
    },
  },
  'a run': {
    ...{ statement: 'runJob', answer: true },
    change: async (channel, name) => (await runJob(channel, name, name)).isNew,
  },
  'a backfill': {
    ...{ statement: 'backfillJob', answer: 3 },
    change: async (channel, name) => (await backfillJob(channel, name, name, days)).added.length,
  },
  'a stop of what waits': {
    ...{ statement: 'stopRequest', answer: 1 },
    prepare: (channel, name) => runJob(channel, name, name),
    change: (channel, name) => stopRequest(channel, name, name),
  },
  'a group as it is': {
    ...{ statement: 'changeGroup', answer: false },
    prepare: (channel, name) => changeGroup(channel, name, () => ['n']),
    change: async (channel, name) => (await changeGroup(channel, name, () => ['n'])).isChanged,
  },
  'a new group': {
    ...{ statement: 'changeGroup', answer: true },
    change: async (channel, name) => {
      const decide = (members: unknown) => {
        assert.equal(members, null, 'it meets its own doing');
        return ['n'];
      };
      return (await changeGroup(channel, name, decide)).isChanged;
    },
  },
  'a limit': {
    ...{ statement: 'changeLimit', answer: true },
    change: (channel, name) => changeLimit(channel, name, 3),
  },
  'another bound of a target': {
    ...{ statement: 'editNotificationTarget', answer: true },
    prepare: (channel, name) => addNotificationTarget(channel, { ...target, name }),
    change: (channel, name) => editNotificationTarget(channel, name, { minuteMax: 5 }),
  },
  'a removal of a target': {
    ...{ statement: 'removeNotificationTarget', answer: undefined },
    prepare: (channel, name) => addNotificationTarget(channel, { ...target, name }),
    change: (channel, name) => removeNotificationTarget(channel, name),
  },
};

await forEachEngine((engine) => {
  test('a change whose COMMIT is cut answers what was true', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const proxy = await startCutProxy(t, world.url);
    const channel = openChannel(t, proxy.url);
    let number = 0;
    for (const [title, { answer, change, prepare, statement }] of Object.entries(cases)) {
      for (const cut of ['request lost', 'reply lost'] as const) {
        number += 1;
        const name = `job-${number}`;
        await addJob(world.channel, definitionOf(name, { schedule: '@daily' }));
        await pauseJob(world.channel, name);
        await prepare?.(world.channel, name);
        const wasCut = proxy.cutAt(`/* ${statement} commit */`, cut);
        assert.deepEqual(await change(channel, name), answer, `${title} (${cut})`);
        await wasCut;
      }
    }
  });

  test('a revoked token is named, though the COMMIT’s reply was lost', async (t) => {
    const { channel, url } = await makeReusedWorld(t, engine);
    const wishes = { name: 'bob', role: 'viewer', groups: null, expiresMs: null } as const;
    const { tokenId } = await addToken(channel, wishes);
    const proxy = await startCutProxy(t, url);
    const wasCut = proxy.cutAt('/* revokeToken commit */', 'reply lost');
    const revoked = await revokeToken(openChannel(t, proxy.url), 'bob');
    assert.deepEqual(revoked, { tokenId, name: 'bob' });
    await wasCut;
  });

  test('of two that resume a job one has changed it, whose COMMIT was lost', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, definitionOf('job', { schedule: '@daily' }));
    await pauseJob(world.channel, 'job');
    const proxy = await startCutProxy(t, world.url);
    const wasCut = proxy.cutAt('/* resumeJob commit */', 'request lost');
    const resuming = resumeJob(openChannel(t, proxy.url), 'job');
    await wasCut;
    const changed = await Promise.all([resuming, resumeJob(openChannel(t, world.url), 'job')]);
    assert.deepEqual(changed.map(({ isChanged }) => isChanged).sort(), [false, true]);
    assert.equal((await revisionsOf(world, jobId)).length, 3);
  });
});
