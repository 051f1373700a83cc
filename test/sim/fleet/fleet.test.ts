import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFleet } from './fleetReport.ts';
import { type FleetOptions, readFleetOptions } from './readFleetOptions.ts';
import { runFleet } from './runFleet.ts';

test('a fleet of 10 nodes is simulated and measured', async () => {
  const parts = new Set<string>();
  const report = await runFleet(optionsOf('--fleet 10 --seconds 3 --runs 10 --lasts 1'), (soFar) =>
    parts.add(soFar.part),
  );
  const { idle, load, starts } = report;
  assert.deepEqual(
    [...parts],
    ['joining', 'at rest', 'taking up the load', 'under load', 'judging'],
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
  assert.deepEqual(report.broken, {});
  assert.match(describeFleet(report), /10 nodes[\s\S]*ticks started[\s\S]*readLiveNodes/);
});

test('the same options come to the same figures', async () => {
  const options = optionsOf('--fleet 2 --seconds 1 --runs 2 --lasts 1');
  const [one, other] = [await runFleet(options), await runFleet(options)];
  assert.deepEqual(
    [one.idle, one.load, one.starts, one.events],
    [other.idle, other.load, other.starts, other.events],
  );
});

test('options that are wrong are told, and nothing is simulated', () => {
  for (const [args, what] of [
    ['--fleet', /fleet/],
    ['--fleet 0', /--fleet 0: a whole number from 1 to 5000 is wanted/],
    ['--fleet many', /--fleet many: a whole number/],
    ['--fleet 5 --cores 1.5', /--cores 1.5: a whole number/],
    ['--fleet 5 --round-trip 0', /--round-trip 0: milliseconds/],
    ['--fleet 5 --seeds 3', /seeds/],
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
