import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { describeBacklog, describeFleet, describeSeeds, type FleetReport } from './fleetReport.ts';
import { type FleetOptions, readFleetOptions } from './readFleetOptions.ts';
import { runBacklog } from './runBacklog.ts';
import { runFleet } from './runFleet.ts';

test('a fleet of 10 nodes is simulated and measured', async () => {
  const parts = new Set<string>();
  const report = await runFleet(
    optionsOf('--fleet 10 --seconds 3 --runs 10 --lasts 1 --kill 20'),
    (soFar) => parts.add(soFar.part),
  );
  const { idle, load, starts, afterLoss } = report;
  assert.deepEqual(
    [...parts],
    [
      'joining',
      'at rest',
      'taking up the load',
      'under load',
      'taking over',
      'after the loss',
      'judging',
    ],
  );
  assert.equal(report.lives, 10);
  assert.ok(idle.statementsPerNodeSecond > 1, `${idle.statementsPerNodeSecond} statements at rest`);
  const atRest = (kind: string) =>
    idle.kinds.find((each) => each.kind === kind)?.statementsPerSecond ?? 0;
  const [chains, held, sessions] = [
    atRest('readChainEnds clock'),
    atRest('listHeldSlots'),
    atRest('listSessions'),
  ];
  assert.ok(chains > 3 && chains < 7, `${chains} looks at chains, of five nodes each second`);
  assert.ok(held < 1, `${held} looks at what nodes hold that hold nothing`);
  assert.ok(sessions < 3, `${sessions} looks at sessions, by most nodes not so often`);
  assert.ok(load.statementsPerSecond > idle.statementsPerSecond);
  assert.ok(load.rowsReadPerSecond > load.statementsPerSecond);
  const sum = load.kinds.reduce((all, { statementsPerSecond }) => all + statementsPerSecond, 0);
  assert.ok(Math.abs(sum - load.statementsPerSecond) < 1e-6 * sum);
  assert.ok(starts.ticks >= 20, `${starts.ticks} ticks`);
  assert.equal(starts.started, starts.ticks);
  assert.ok(starts.latenessP99Ms < 1_000, `late by ${starts.latenessP99Ms} ms`);
  assert.equal(afterLoss?.started, starts.ticks, 'all is done by the nodes that are left');
  assert.equal(afterLoss?.nodesWithStarts, 8);
  assert.deepEqual(report.broken, {});
  assert.match(describeFleet(report), /10 nodes[\s\S]*after the loss of 2[\s\S]*readLiveNodes/);
});

test('the same options come to the same figures', async () => {
  const options = optionsOf('--fleet 2 --seconds 1 --runs 2 --lasts 1');
  const [one, other] = [await runFleet(options), await runFleet(options)];
  assert.deepEqual(
    [one.idle, one.load, one.starts, one.events],
    [other.idle, other.load, other.starts, other.events],
  );
});

test('a backlog is made up for, by more nodes sooner', async () => {
  const of = (nodes: number) => runBacklog(optionsOf(`--fleet ${nodes} --backlog 800`));
  const [one, four] = [await of(1), await of(4)];
  for (const report of [one, four]) {
    assert.deepEqual([report.started, report.broken], [800, {}]);
    assert.match(describeBacklog(report), /^800 of 800 slots that were due, on [14] nodes: /);
  }
  assert.ok(four.tookMs < one.tookMs, `${four.tookMs} ms by four, ${one.tookMs} ms by one`);
});

test('several seeds are told in a line each, and with --json whole', async () => {
  const command = ['--import', 'tsx', 'test/sim/main.ts', '--fleet', '2', '--seconds', '2'];
  const args = [...command, '--runs', '2', '--lasts', '1', '--seed', '5', '--seeds', '2', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const told = JSON.parse(stdout) as { violations: number; seeds: FleetReport[] };
  assert.deepEqual([told.violations, told.seeds.map(({ seed }) => seed)], [0, [5, 6]]);
  assert.match(describeSeeds(told.seeds), /violations[\s\S]*\n +5 +0 [\s\S]*\n +6 +0 .* –\n/);
});

test('options that are wrong are told, and nothing is simulated', () => {
  for (const [args, what] of [
    ['--fleet', /fleet/],
    ['--fleet 0', /--fleet 0: a whole number from 1 to 5000 is wanted/],
    ['--fleet many', /--fleet many: a whole number/],
    ['--fleet 5 --cores 1.5', /--cores 1.5: a whole number/],
    ['--fleet 5 --round-trip 0', /--round-trip 0: milliseconds/],
    ['--fleet 5 --lasts 0', /--lasts 0: seconds from 0.01 to 3600/],
    ['--fleet 5 --seeds 0', /--seeds 0: a whole number/],
    ['--fleet 5 --kill 100', /--kill 100: a whole number from 1 to 90/],
  ] as const) {
    const read = readFleetOptions(args.split(' '));
    assert.match(typeof read === 'string' ? read : 'taken', what);
  }
});

function optionsOf(args: string): FleetOptions {
  const options = readFleetOptions(args.split(' '));
  if (typeof options === 'string') throw new Error(options);
  return options;
}
