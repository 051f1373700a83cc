import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editJob, pauseJob, resumeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { verifyDatabase } from '../../../src/store/verify/verifyDatabase.ts';
import { makeActorWorld } from '../../actors/actorWorld.ts';
import { until } from '../../support/until.ts';
import { openChannel } from './assertAccounted.ts';

test('nothing is found beside live nodes, however often one looks', async (t) => {
  const world = await makeActorWorld(t);
  // Some runs outlive the second, so that ticks are skipped.
  world.ledger.lastsMs = ({ slotId }) => (slotId % 5) * 400;
  const names = Array.from({ length: 20 }, (_, number) => `job${number}`);
  for (const name of names) await world.add(name, '* * * * * *');
  for (const node of ['a', 'b']) world.node(node);
  const { channel } = world;
  const looks = openChannel(world.scope, world.url);
  let seen = 0;
  let changes = 0;
  const isSeen = async (): Promise<boolean> => {
    const name = names[Math.floor(changes / 4) % names.length] as string;
    const change = [
      () => editJob(channel, name, (old) => ({ ...old, command: `echo ${changes}` })),
      () => pauseJob(channel, name),
      () => runJob(channel, name, `request-${changes}`),
      () => resumeJob(channel, name),
    ][changes % 4];
    changes += 1;
    const [verification] = await Promise.all([verifyDatabase(looks), change?.()]);
    assert.deepEqual(verification.findings, []);
    seen += 1;
    return seen >= 40 && verification.runs >= 100;
  };
  await until('forty looks over a hundred runs', isSeen, 180_000);
  await world.requireSound();
});
