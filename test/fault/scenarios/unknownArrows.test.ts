import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchRequest, Verdict } from '../../../src/domain/commit/batch.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { runsOf, slotOf } from '../../store/verify/assertAccounted.ts';
import { findTickFaults } from '../../support/everyTick.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { succeeded, type TestNode } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import {
  addressOf,
  bringTo,
  claimOne,
  hasDone,
  isMet,
  type LostOrLate,
  lostOrLate,
  makeCutWorld,
  runWhatIsDue,
  settled,
} from './lostOrLate.ts';

interface ArrowCase {
  readonly rule: string;
  readonly from: 'idle' | 'prepare' | 'executing';
  readonly to: 'idle' | 'prepare' | 'executing';
  request(launch: Launch | null, ownerId: string): BatchRequest;
  /** Nobody carries the launch on: the compensator's reset settles it, not the same request. */
  readonly isReset: boolean;
  /** What the same request is told when the first try was committed after all. */
  readonly repeated?: Verdict['verdict'];
  /** The results of launches in the history once everything is settled and the tick has run. */
  history(fault: LostOrLate): readonly string[];
}

const cases: Record<string, ArrowCase> = {
  claim: {
    rule: '(a)',
    from: 'idle',
    to: 'prepare',
    request: () => claimOne,
    isReset: true,
    history: () => ['succeeded'],
  },
  start: {
    rule: '(b)',
    from: 'prepare',
    to: 'executing',
    request: (launch) => ({ kind: 'start', ...addressOf(launch), waitUntilMs: null }),
    isReset: true,
    history: (fault) => (fault === 'request lost' ? ['succeeded'] : ['not_started', 'succeeded']),
  },
  finish: {
    rule: '(c)',
    from: 'executing',
    to: 'idle',
    request: (launch) => ({ kind: 'finish', ...addressOf(launch), execution: succeeded }),
    isReset: false,
    repeated: 'refused',
    history: () => ['succeeded'],
  },
  reset: {
    rule: '(d)',
    from: 'executing',
    to: 'idle',
    request: (launch) => ({ kind: 'reset', why: 'own', ...addressOf(launch) }),
    isReset: false,
    repeated: 'refused',
    history: () => ['not_started', 'succeeded'],
  },
  reap: {
    rule: '(e)',
    from: 'executing',
    to: 'idle',
    request: (_, sessionId) => ({ kind: 'reap', sessionId, stripes: allStripes }),
    isReset: false,
    repeated: 'reaped',
    history: () => ['lost'],
  },
};

await forEachEngine((engine) => {
  for (const [name, { rule, from, to, ...arrow }] of Object.entries(cases)) {
    for (const fault of lostOrLate) {
      test(`${rule} a ${name}, ${fault}, is unknown until its lock tells`, async (t) => {
        const world = await makeCutWorld(t, engine);
        const jobId = await world.addDue('job');
        const asker = await world.through('asker');
        const owner = name === 'reap' ? await world.join('owner') : asker;
        const launch = await bringTo(owner, from);
        if (name === 'reap') await asker.store.endSession(owner.sessionId, 'test', null);
        const request = arrow.request(launch, owner.sessionId);
        const state = async () => (await slotOf(world, jobId)).state;

        const armed = world.proxy.arm({ kind: fault, statement: '/* commitBatch commit */' });
        assert.equal(await asker.ask(request), 'unknown', 'neither a yes nor a no');
        await isMet(armed);
        if (fault === 'reply lost') await until('it is seen', async () => (await state()) === to);
        else assert.equal(await state(), from);
        if (fault === 'request delayed') {
          // The row says that nothing was done, but only the lock may say so.
          assert.equal(hasDone(await asker.ask(request)), false);
          assert.equal(await state(), from);
          armed.release();
          await until('the delayed COMMIT', async () => (await state()) === to);
        }
        if (arrow.isReset) await resetOwn(asker);
        else {
          const again = await settled(asker, request);
          if (fault !== 'request lost') assert.equal(again.verdict, arrow.repeated);
          if (again.verdict === 'reaped') {
            assert.equal(again.slots, fault === 'request lost' ? 1 : 0);
          }
        }
        await runWhatIsDue(asker);

        assert.equal(await state(), 'idle');
        const launched = (await runsOf(world, jobId)).filter((run) => run.launch_id !== null);
        const expected = arrow.history(fault);
        assert.deepEqual(
          launched.map((run) => [run.result, run.is_final]),
          expected.map((result) => [result, result === 'not_started' ? 0 : 1]),
        );
        assert.deepEqual(await findTickFaults(world.channel), []);
      });
    }
  }
});

/** What the compensator does: own rows whose launch nobody in the process knows. */
async function resetOwn(node: TestNode): Promise<void> {
  for (const held of (await node.store.lookAtHeld()).own) {
    const { slotId, stripe, launchId } = held;
    const verdict = await settled(node, { kind: 'reset', why: 'own', slotId, stripe, launchId });
    assert.equal(verdict.verdict, 'done');
  }
}
