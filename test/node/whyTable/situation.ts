import assert from 'node:assert/strict';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import type { CheckName } from '../../../src/domain/why/check.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { openNodeStore } from '../../../src/store/openNodeStore.ts';
import { type WhyShown, whyJob } from '../../../src/store/why/whyJob.ts';
import { joinWith, type TestNode } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import { type ReasonWorld, withinMs } from '../reasonTable/reasonWorld.ts';

/** Something that keeps a job from running, brought about with nodes. */
export interface Situation {
  /** Also the name of the job. */
  readonly title: string;
  readonly skip?: string | false;
  /** When it is brought about, if not when all nodes are there. */
  readonly with?: 'no node' | 'main alone';
  /** Brings it about. */
  cause(world: ReasonWorld, name: string): Promise<void>;
  /** The check that has to fail. */
  readonly fails: CheckName;
  readonly state?: WhyShown['state'];
  /** A node, and what keeps it. */
  readonly keeps?: readonly [node: string, by: string];
  /** Lets the ticks go on that were kept. */
  release?(world: ReasonWorld, name: string): Promise<void> | void;
  /** What the history says afterwards, if not of its ticks that were skipped or missed. */
  readonly afterwards?: (world: ReasonWorld, name: string) => Promise<readonly unknown[]>;
}

/** Compares what was answered with what the history gives as the reason afterwards. */
export async function compare(
  world: ReasonWorld,
  situation: Situation,
  why: WhyShown,
): Promise<void> {
  const { afterwards, title } = situation;
  // A busy node may have come too late to ticks before the one that it runs.
  const [running] = await world.rows(selectRunning, [title]);
  await situation.release?.(world, title);
  const found = await (afterwards === undefined
    ? ticksThatDidNotRun(world, title, running?.scheduled_for ?? new Date(0))
    : afterwards(world, title));
  const { reason } = checkOf(why, situation);
  // A busy machine comes too late to some of them, whatever else keeps the others.
  const own = found.filter((each) => each !== reasons.notTaken || each === reason);
  assert.deepEqual(new Set(own), new Set(reason === null ? [] : [reason]));
}

/** Brings it about; resolves to what is answered when it is so. */
export async function answer(world: ReasonWorld, situation: Situation): Promise<WhyShown> {
  const { keeps, state, title } = situation;
  await situation.cause(world, title);
  const why = await whyJob(world.channel, title);
  const found = checkOf(why, situation);
  const others = why.checks.filter((each) => each.state !== 'passed');
  assert.equal(found.state, 'failed', `${why.state}: ${JSON.stringify(others)}`);
  if (state !== undefined) assert.equal(why.state, state, JSON.stringify(others));
  const [name, by] = keeps ?? [];
  const kept = why.nodes.filter(({ node }) => node === name).flatMap(({ keptBy }) => keptBy);
  if (by !== undefined)
    assert.ok(
      kept.some((each) => each.by === by),
      JSON.stringify(kept),
    );
  return why;
}

function checkOf({ checks }: WhyShown, { fails }: Situation): WhyShown['checks'][number] {
  const found = checks.find(({ check }) => check === fails);
  assert.ok(found);
  return found;
}

/** The reasons of the ticks of a job that were skipped or missed since, when there are some. */
async function ticksThatDidNotRun(
  world: ReasonWorld,
  name: string,
  since: Date,
): Promise<readonly unknown[]> {
  const look = async () => {
    const rows = await world.rows(`${selectPassed} AND run.scheduled_for > ?`, [name, since]);
    return rows.length > 0 && rows.map(({ reason }) => reason);
  };
  return until(`ticks of ${name} that did not run`, look, withinMs);
}

/** Of a job that has no row, since its schedule named no tick. */
export async function nothing(world: ReasonWorld, name: string): Promise<readonly unknown[]> {
  return (await world.rows(selectPassed, [name])).map(({ reason }) => reason);
}

/** The reasons of all rows of a job's history. */
export async function ofRuns(world: ReasonWorld, name: string): Promise<readonly unknown[]> {
  return (await world.history(name, 1)).map(({ reason }) => reason);
}

/** The reasons of the revisions that no operator made. */
export async function ofRevision(world: ReasonWorld, name: string): Promise<readonly unknown[]> {
  const rows = await world.rows(selectRevisions, [name]);
  return rows.map(({ reason }) => reason);
}

/** A node that is a session alone, and does what it is told. */
export async function stand(
  world: ReasonWorld,
  nodeName: string,
  facts: Parameters<typeof joinWith>[3] = {},
): Promise<TestNode> {
  const ttlMs = 3_600_000;
  const open = (sessionId: string, nextLaunchId: () => string) => {
    const session = { sessionId, nodeName, ttlMs, nextLaunchId, onForeign: () => undefined };
    const store = openNodeStore(readDatabaseUrl(world.url), session);
    world.scope.after(() => store.close());
    return store;
  };
  return joinWith(nodeName, ttlMs, open, facts);
}

const selectPassed = `SELECT run.reason FROM run JOIN job USING (job_id)
  WHERE job.name = ? AND run.result IN ('skipped', 'missed')`;
const selectRunning = `SELECT slot.scheduled_for FROM slot JOIN job USING (job_id)
  WHERE job.name = ? AND slot.state = 'executing' ORDER BY slot.scheduled_for LIMIT 1`;
const selectRevisions = `SELECT job_revision.reason FROM job_revision JOIN job USING (job_id)
  WHERE job.name = ? AND job_revision.reason IS NOT NULL`;
