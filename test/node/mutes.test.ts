import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  muteNotifications,
  unmuteNotifications,
} from '../../src/store/notifications/mutes/changeMute.ts';
import { runJob } from '../../src/store/requests/runJob.ts';
import { listen } from '../exec/notifications/listener.ts';
import { addTarget, addTelling, statesOf } from '../store/notifications/notificationWorld.ts';
import { until } from '../support/until.ts';
import { makeNodeWorld } from './nodeWorld.ts';

/** Of the real time that nodes and their jobs take; what is waited for ends it much sooner. */
const patienceMs = 300_000;

test('a run that fails while its job is muted is not sent, one after it is', async (t) => {
  const world = await makeNodeWorld(t);
  const hook = await listen(world.scope);
  await addTarget(world, 'hook', { address: hook.url });
  const notify = { on: ['failure' as const], to: ['hook'] };
  await addTelling(world, 'job', notify, { command: 'exit 3' });
  const muted = { kind: 'job', name: 'job' } as const;
  await muteNotifications(world.channel, muted, { end: { forMs: 3_600_000 }, note: null });
  world.start('a', ['--webhook-allow', '127.0.0.1', '--session-ttl', '45s']);
  const statesAfter = async (id: string, wanted: readonly string[]): Promise<void> => {
    await runJob(world.channel, 'job', id);
    const isSo = async () => `${await statesOf(world)}` === `${wanted}`;
    await until(`it is ${wanted}`, isSo, patienceMs);
  };
  await statesAfter('first', ['hook:failure:muted']);
  await unmuteNotifications(world.channel, muted);
  await statesAfter('second', ['hook:failure:muted', 'hook:failure:sent']);
  assert.equal(hook.heard.length, 1);
});
