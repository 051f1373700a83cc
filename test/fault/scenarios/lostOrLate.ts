import assert from 'node:assert/strict';
import type { BatchRequest, Verdict } from '../../../src/domain/commit/batch.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { wholeLine } from '../../../src/domain/run/share.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { onceAt } from '../../support/addOnce.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import type { Engine } from '../../support/startTestServer.ts';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';
import type { TestNode } from '../../support/testNode.ts';
import { until, within } from '../../support/until.ts';
import { type FaultProxy, startFaultProxy } from '../proxy/faultProxy.ts';
import type { ArmedFault } from '../proxy/statementFault.ts';

/** The three things that can happen to a statement whose answer does not come. */
export const lostOrLate = ['request lost', 'reply lost', 'request delayed'] as const;
export type LostOrLate = (typeof lostOrLate)[number];

/** A migrated database with a proxy before it, and nodes that come through it. */
export interface CutWorld extends StoreWorld {
  readonly proxy: FaultProxy;
  /**
   * A node through the proxy; its time-outs are those of its TTL. Unless told otherwise it gives up
   * after 5 s and is cut by the server only after 30 s: what is delayed finds its locks held.
   */
  through(name: string, ttlMs?: number): Promise<TestNode>;
  /** A job with one tick in the year, which was two seconds ago; resolves to its id. */
  addDue(name: string): Promise<number>;
}

export async function makeCutWorld(context: Scope, engine: Engine): Promise<CutWorld> {
  const scope = lastFirst(context); // what is cut goes before the database that it holds locks in
  const world = await makeStoreWorld(scope, engine);
  const proxy = await startFaultProxy(scope, world.url);
  return {
    ...world,
    proxy,
    through: (name, ttlMs = 150_000) => world.join(name, { url: proxy.url, ttlMs }),
    addDue: async (name) => {
      const [clock] = await world.rows('SELECT NOW() - INTERVAL 2 SECOND AS at');
      const at = clock?.at as Date;
      const jobId = await world.addJob(name, { schedule: onceAt(at) });
      const cursor = 'UPDATE slot SET cursor_at = ?, next_run_at = ? WHERE job_id = ?';
      await world.rows(cursor, [at, at, jobId]);
      return jobId;
    },
  };
}

/** Waits until an armed fault was done to its statement. */
export async function isMet(fault: ArmedFault): Promise<void> {
  assert.equal(await within('the statement met its fault', fault.hit), true);
}

/** Asks, like the committer, until the stripe is free; what it is told then. */
export async function settled(node: TestNode, request: BatchRequest): Promise<Verdict> {
  return until(`the ${request.kind} is settled`, async () => {
    const verdict = await node.ask(request);
    if (typeof verdict === 'string' || verdict.verdict === 'busy') return false;
    const { verdict: word } = verdict;
    // What a cut connection still holds is left out.
    if (word === 'claimed' && (verdict.busyStripes ?? []).length > 0) return false;
    const isPart = request.kind === 'reap' && word === 'reaped';
    return !(isPart && verdict.stripes.length < request.stripes.length) && verdict;
  });
}

/** A claim of one slot that is due now, on whatever stripe. */
export const claimOne: BatchRequest = {
  kind: 'claim',
  share: wholeLine,
  dueStripes: allStripes,
  aheadMs: 0,
  aheadAnywhereMs: 0,
  slotsMax: 1,
};

/** What a request carries of a launch. */
export function addressOf(launch: Launch | null) {
  assert.ok(launch);
  return { slotId: launch.slotId, stripe: launch.stripe, launchId: launch.launchId };
}

/** Brings the one job that is due to a state; resolves to its launch, when it has one then. */
export async function bringTo(
  node: TestNode,
  state: 'idle' | 'prepare' | 'executing',
): Promise<Launch | null> {
  if (state === 'idle') return null;
  const [launch] = await node.claim(1);
  assert.ok(launch);
  if (state === 'executing') assert.deepEqual(await node.start(launch), { verdict: 'done' });
  return launch;
}

/** Claims, starts and finishes what is due: at most one launch. */
export async function runWhatIsDue(node: TestNode): Promise<void> {
  const claimed = await settled(node, claimOne);
  assert.ok(claimed.verdict === 'claimed');
  for (const launch of claimed.launches) {
    assert.deepEqual(await node.start(launch), { verdict: 'done' });
    assert.deepEqual(await node.finish(launch), { verdict: 'done' });
  }
}

/** Whether an answer says that something was moved. */
export function hasDone(verdict: Awaited<ReturnType<TestNode['ask']>>): boolean {
  if (typeof verdict === 'string') return false;
  if (verdict.verdict === 'claimed') return verdict.launches.length > 0;
  if (verdict.verdict === 'reaped') return verdict.slots > 0;
  return verdict.verdict !== 'busy';
}

/** Whether somebody waits in this world's database for a lock row that another holds. */
export async function waitsForStripe(world: CutWorld): Promise<boolean> {
  const database = new URL(world.url).pathname.slice(1);
  const list = await world.rows('SHOW FULL PROCESSLIST');
  return list.some((row) => row.db === database && String(row.Info).includes('/* takeStripe */'));
}
