import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BatchRequest } from '../../../src/domain/commit/batch.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import type { Channel } from '../../../src/store/connection/channel.ts';
import { editJob, pauseJob, removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { openChannel, revisionsOf, runsOf } from '../../store/verify/assertAccounted.ts';
import { findTickFaults } from '../../support/everyTick.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { succeeded, type TestNode } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import {
  addressOf,
  bringTo,
  type CutWorld,
  claimOne,
  hasDone,
  isMet,
  makeCutWorld,
  runWhatIsDue,
  settled,
  waitsForStripe,
} from './lostOrLate.ts';

const changes = {
  edit: (channel: Channel) => editJob(channel, 'job', (old) => ({ ...old, command: 'false' })),
  pause: (channel: Channel) => pauseJob(channel, 'job'),
  remove: (channel: Channel) => removeJob(channel, 'job'),
  run: (channel: Channel) => runJob(channel, 'job', 'request-1'),
} as const;
type Change = keyof typeof changes;

const arrows = {
  claim: { from: 'idle', request: () => claimOne },
  start: {
    from: 'prepare',
    request: (launch) => ({ kind: 'start', ...addressOf(launch), waitUntilMs: null }),
  },
  finish: {
    from: 'executing',
    request: (launch) => ({ kind: 'finish', ...addressOf(launch), execution: succeeded }),
  },
  reset: {
    from: 'executing',
    request: (launch) => ({ kind: 'reset', why: 'own', ...addressOf(launch) }),
  },
} as const satisfies Record<
  string,
  { from: string; request: (launch: Launch | null) => BatchRequest }
>;
type Arrow = keyof typeof arrows;

/** Whether the change is the first of the two to be committed. */
const moments = {
  'before the arrow': true,
  'while it commits itself': true,
  'while the arrow commits': false,
  'after the arrow': false,
  'after the arrow, its reply lost': false,
} as const;
type Moment = keyof typeof moments;

await forEachEngine((engine) => {
  for (const [arrow, { from, request }] of Object.entries(arrows)) {
    describe(`a ${arrow} and a change`, { concurrency: 4 }, () => {
      for (const change of Object.keys(changes) as Change[]) {
        for (const moment of Object.keys(moments) as Moment[]) {
          const title = `a job takes its ${change} ${moment} (${arrow}) and loses no tick`;
          test(title, async (t) => {
            const world = await makeCutWorld(t, engine);
            const jobId = await world.addDue('job');
            const node = await world.join('node', { url: world.proxy.url });
            const launch = await bringTo(node, from);
            const operator = openChannel(t, world.proxy.url);
            await actInOrder(world, moment, {
              node,
              request: request(launch),
              change: () => changes[change](operator),
              changeCommit: `/* ${change}Job commit */`,
            });

            const prepared = "SELECT revision FROM slot WHERE state = 'prepare'";
            for (const { revision } of await world.rows(prepared)) {
              assert.equal(revision, change === 'run' ? 1 : 2, 'none against the change');
            }
            await endWhatIsHeld(node);
            await runWhatIsDue(node);
            await runWhatIsDue(node); // what was asked for comes after the tick

            const runs = await runsOf(world, jobId);
            assert.deepEqual(
              runs.flatMap((run) =>
                run.launch_id === null ? [] : [`${run.result} of ${run.revision}`],
              ),
              historyOf(arrow as Arrow, change, moments[moment]),
            );
            assert.equal((await revisionsOf(world, jobId)).length, change === 'run' ? 1 : 2);
            assert.deepEqual(await world.rows("SELECT * FROM slot WHERE state <> 'idle'"), []);
            assert.deepEqual(await findTickFaults(world.channel), []);
          });
        }
      }
    });
  }
});

interface Acts {
  readonly node: TestNode;
  readonly request: BatchRequest;
  change(): Promise<unknown>;
  readonly changeCommit: string;
}

async function actInOrder(world: CutWorld, moment: Moment, acts: Acts): Promise<void> {
  const { node, request, change, changeCommit } = acts;
  const hold = (statement: string) => world.proxy.arm({ kind: 'request delayed', statement });
  if (moment === 'while it commits itself') {
    const held = hold(changeCommit);
    const changing = change();
    await isMet(held);
    assert.equal(hasDone(await node.ask(request)), false, 'the stripe is held');
    held.release();
    await changing;
    await settled(node, request);
  } else if (moment === 'while the arrow commits') {
    const held = hold('/* commitBatch commit */');
    const asking = node.ask(request);
    await isMet(held);
    const changing = change();
    await until('the change waits for the stripe', () => waitsForStripe(world));
    held.release();
    assert.equal(hasDone(await asking), true);
    await changing;
  } else if (moment === 'before the arrow') {
    await change();
    await settled(node, request);
  } else {
    await settled(node, request);
    const isLost = moment === 'after the arrow, its reply lost';
    const lost = isLost ? world.proxy.arm({ kind: 'reply lost', statement: changeCommit }) : null;
    await change();
    if (lost !== null) await isMet(lost);
  }
}

/** Starts what is prepared and finishes it, like a node that knows its launches. */
async function endWhatIsHeld(node: TestNode): Promise<void> {
  for (const { slotId, stripe, launchId } of (await node.store.lookAtHeld()).own) {
    const address = { slotId, stripe, launchId };
    assert.equal(
      (await settled(node, { kind: 'start', ...address, waitUntilMs: null })).verdict,
      'done',
    );
    await settled(node, { kind: 'finish', ...address, execution: succeeded });
  }
}

/** The launches' run rows: what became of the one tick, and under which revision. */
function historyOf(arrow: Arrow, change: Change, changeIsFirst: boolean): string[] {
  const unspawned = arrow === 'reset' ? ['not_started of 1'] : [];
  if (change === 'run') return [...unspawned, 'succeeded of 1', 'succeeded of 1'];
  if (arrow === 'finish') return ['succeeded of 1'];
  if (arrow === 'start' && !changeIsFirst) return ['succeeded of 1'];
  if (arrow === 'reset' && changeIsFirst) return unspawned;
  if (change === 'edit') return [...unspawned, 'succeeded of 2'];
  // A tick that no launch held ends in a row without one.
  const isHeld = arrow === 'start' || (arrow === 'claim' && !changeIsFirst);
  return [...unspawned, ...(isHeld ? ['skipped of 1'] : [])];
}
