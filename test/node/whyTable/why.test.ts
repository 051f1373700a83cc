import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WhyShown } from '../../../src/store/why/whyJob.ts';
import { patient } from '../nodeProcess.ts';
import { makeReasonWorld, type ReasonWorld } from '../reasonTable/reasonWorld.ts';
import { jobSituations } from './jobSituations.ts';
import { placeSituations } from './placeSituations.ts';
import { answer, compare, type Situation } from './situation.ts';
import { tickSituations } from './tickSituations.ts';

const situations = [...tickSituations, ...jobSituations, ...placeSituations];

test('why a job does not run is answered as the history tells it afterwards', {
  concurrency: true,
}, async (t) => {
  assert.ok(situations.length >= 25, `${situations.length}`);
  const world = await makeReasonWorld(t);
  const early = new Map<Situation, WhyShown>();
  const bring = async (when: Situation['with']) => {
    for (const each of situations) {
      if (each.with === when && !each.skip) early.set(each, await answer(world, each));
    }
  };
  await bring('no node');
  await start(world, 'main');
  await world.history('nobody', 1);
  await world.rows(wasThere);
  await bring('main alone');
  await start(world, 'poor', '--capacity', '1', '--concurrency', '1');
  await world.history('waits for poor', 1);
  await world.rows(wasThere);
  await Promise.all(
    situations.map((each) =>
      t.test(each.title, { skip: each.skip ?? false }, async () => {
        await compare(world, each, early.get(each) ?? (await answer(world, each)));
      }),
    ),
  );
});

async function start(world: ReasonWorld, name: string, ...more: string[]): Promise<void> {
  const node = world.start(name, [...patient, '--horizon', '5s', '--threads', '1', ...more]);
  world.nodes.set(name, node);
  await node.session();
}

/** As if the nodes had been there when the ticks were missed that others come to. */
const wasThere = 'UPDATE session SET started_at = NOW(3) - INTERVAL 1 HOUR';
