import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobDefinition } from '../../src/domain/job/jobDefinition.ts';
import type { Target } from '../../src/domain/job/jobPolicies.ts';
import { type NodeFacts, plainNode } from '../../src/domain/targeting/nodeFacts.ts';
import { changeGroup } from '../../src/store/groups/changeGroup.ts';
import { besideOf, everyOf, takersOf } from '../support/takersModel.ts';
import { until } from '../support/until.ts';
import { patient } from './nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from './nodeWorld.ts';

const factsOf = (nodeName: string, level: number, labels: string[] = []): NodeFacts => ({
  ...plainNode,
  nodeName,
  level,
  labels,
  definitionFormat: 5,
});
const first = factsOf('first', 1, ['disk=ssd']);
const second = factsOf('second', 2, ['disk=hdd', 'eu']);
const never = factsOf('never', 0, ['eu']);
const always = factsOf('always', -1);
/** Short: what is claimed ahead is claimed by who was there then. */
const horizonMs = 1_000;

const targets: Record<string, Target | undefined> = {
  anywhere: undefined,
  onDisks: { labels: ['disk'] },
  onSsd: { labels: ['disk=ssd'] },
  inEurope: { labels: ['eu'] },
  notFirst: { excludeNodes: ['first'] },
  notDisks: { excludeLabels: ['disk'] },
  onGroup: { groups: ['chosen'] },
  notGroup: { excludeGroups: ['chosen'] },
  nowhere: { groups: ['empty'] },
};
const everyName = (name: string): string => `every ${name}`;

function start(world: NodeWorld, { nodeName, level, labels }: NodeFacts) {
  const args = ['--level', `${level}`, ...labels.flatMap((label) => ['--label', label])];
  // Only the end of the lease of `first` is waited for.
  const ttl = nodeName === 'first' ? ['--session-ttl', '15s'] : patient;
  return world.start(nodeName, [...ttl, ...args, '--horizon', `${horizonMs}ms`]);
}

interface Phase {
  readonly live: readonly NodeFacts[];
  readonly chosen: readonly string[];
  readonly fromMs: number;
  readonly untilMs: number;
}

const phaseMs = 3_000;

/**
 * Waits until all have seen the last change, each job that somebody may run having run since, and
 * lets some seconds pass then in which nothing changes.
 */
async function passPhase(
  world: NodeWorld,
  live: readonly NodeFacts[],
  chosen: readonly string[],
): Promise<Phase> {
  const nowMs = async (): Promise<number> => {
    const [row] = await world.rows('SELECT NOW(3) AS at');
    assert.ok(row);
    return row.at.getTime();
  };
  const changedMs = await nowMs();
  for (const { name, takers, beside, every } of expectedOf(live, chosen)) {
    await until(`a run of ${name} everywhere`, async () => {
      const span = { fromMs: changedMs, untilMs: await nowMs() };
      const [single, all] = [
        await nodesOf(world, name, span),
        await nodesOf(world, everyName(name), span),
      ];
      const isTaken = takers.length === 0 || takers.some((node) => single.has(node));
      const isBeside = beside.every((node) => single.has(node));
      return isTaken && isBeside && every.every((node) => all.has(node));
    });
  }
  // Nothing is claimed further ahead than that.
  const fromMs = (await nowMs()) + horizonMs;
  const untilMs = fromMs + phaseMs;
  await until('the end of the phase', async () => (await nowMs()) > untilMs, 60_000);
  return { live, chosen, fromMs, untilMs };
}

/** Who may run each job, and who runs it when it is one of every node. */
function expectedOf(live: readonly NodeFacts[], chosen: readonly string[]) {
  const groups = new Map([['chosen', new Set(chosen)]]);
  return Object.entries(targets).map(([name, target]) => {
    const placed = { target, definitionFormat: target === undefined ? 1 : 3 };
    const every = everyOf(live, { ...placed, definitionFormat: 3 }, groups);
    const beside = besideOf(live, placed, groups);
    return { name, takers: takersOf(live, placed, groups), beside, every };
  });
}

/** Every run of the phase was its model's; resolves to how many there were. */
async function judgePhase(world: NodeWorld, phase: Phase): Promise<number> {
  let runs = 0;
  for (const { name, takers, beside, every } of expectedOf(phase.live, phase.chosen)) {
    const single = await nodesOf(world, name, phase);
    const may = [...takers, ...beside];
    for (const nodeName of single.keys()) {
      assert.ok(may.includes(nodeName), `${name} ran on ${nodeName}; may: ${may}`);
    }
    const all = await nodesOf(world, everyName(name), phase);
    for (const nodeName of all.keys()) {
      assert.ok(every.includes(nodeName), `every ${name} ran on ${nodeName}; may: ${every}`);
    }
    for (const many of [...single.values(), ...all.values()]) runs += many;
  }
  return runs;
}

/** How many of the job's ticks in the span each node has started in it. */
async function nodesOf(
  world: NodeWorld,
  name: string,
  { fromMs, untilMs }: Pick<Phase, 'fromMs' | 'untilMs'>,
) {
  const span = [new Date(fromMs), new Date(untilMs)];
  const rows = await world.rows(
    `SELECT session.node_name, COUNT(*) AS runs FROM run JOIN job USING (job_id)
       JOIN session USING (session_id)
     WHERE job.name = ? AND run.scheduled_for BETWEEN ? AND ? AND run.started_at BETWEEN ? AND ?
     GROUP BY session.node_name`,
    [name, ...span, ...span],
  );
  return new Map(rows.map((row) => [row.node_name as string, Number(row.runs)]));
}

test('who runs what is what the model says, while nodes join, die and groups change', async (t) => {
  const world = await makeNodeWorld(t);
  const group = (members: string[]) => changeGroup(world.channel, 'chosen', () => members);
  await group(['second']);
  const processes = new Map([first, second, never].map((node) => [node, start(world, node)]));
  for (const node of processes.values()) await node.session();
  for (const [name, target] of Object.entries(targets)) {
    const more: Partial<JobDefinition> = target === undefined ? {} : { format: 3, target };
    await world.add(name, '* * * * * *', more);
    await world.add(everyName(name), '* * * * * *', { ...more, format: 3, kind: 'every-node' });
  }
  const phases = [await passPhase(world, [first, second, never], ['second'])];

  await group(['first', 'never']);
  processes.set(always, start(world, always));
  await processes.get(always)?.session();
  phases.push(await passPhase(world, [first, second, never, always], ['first', 'never']));

  // Its guardian kills it and starts another, unless it dies, too: the node is gone.
  processes.get(first)?.guardian.kill('SIGKILL');
  const ended = "session WHERE node_name = 'first' AND state = 'ended'";
  await until('the end of its session', async () => (await world.count(ended)) > 0, 60_000);
  phases.push(await passPhase(world, [second, never, always], ['first', 'never']));

  const back = start(world, first);
  await back.session();
  phases.push(await passPhase(world, [first, second, never, always], ['first', 'never']));
  processes.set(first, back);

  for (const { guardian } of processes.values()) guardian.kill('SIGTERM');
  for (const { exited, log } of processes.values())
    assert.deepEqual(await exited(), [0, null], log());
  const runs: number[] = [];
  for (const phase of phases) runs.push(await judgePhase(world, phase));
  assert.ok(Math.min(...runs) > 0, 'there were some in each');
  t.diagnostic(`runs of the phases: ${runs.join(', ')}`);
  assert.equal(await world.count('run WHERE started_at < scheduled_for'), 0);
  await world.requireEveryTick();
});
