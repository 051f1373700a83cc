import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { FaultRecord } from '../../checkers/history.ts';
import { until, within } from '../../support/until.ts';
import { FaultTable } from '../faultTable.ts';
import type { Verdict } from '../judgeHistory.ts';
import { readFaultOptions } from '../readFaultOptions.ts';
import type { RunState } from '../startProgress.ts';
import { bootNowMs } from '../world/bootNow.ts';
import type { FaultKind, FaultWorld, Taken } from '../world/faultWorld.ts';
import { seededRandom } from '../world/random.ts';
import { boardView } from './boardView.ts';
import { FaultBoard } from './faultBoard.ts';

/** Longer than any test takes. */
const lastsMs = 3_600_000;

/** One that lasts until it is healed. */
function kindOf(kind: string, takes: Taken, on: Set<string>): FaultKind {
  return {
    ...{ kind, takes, stops: 'nothing' },
    inject: async (_world, _random, { name }) => {
      on.add(`${kind} ${name}`);
      const heal = async () => void on.delete(`${kind} ${name}`);
      return { target: name, detail: '', lastsMs, heal };
    },
  };
}

/** A board of two nodes that are always live, as far as anybody can see. */
function openTestBoard(t: TestContext) {
  const nodes = ['n1', 'n2'].map((name, at) => ({ name, nodePid: 100 + at, hasOwnClock: true }));
  const live = new Map(
    nodes.map(({ name, nodePid }) => [name, { processId: nodePid, sinceMs: 0 }]),
  );
  const engine = { members: [{}], can: {} };
  const ways = { apiPercent: 50 };
  const world = { nodes, clock: { live }, engine, ways } as unknown as FaultWorld;
  const state = { lasting: new Set(), troubles: [] } as unknown as RunState;
  const command = readFaultOptions(['--board', '--out', '/nowhere']);
  assert.ok(command.command === 'run');
  const board = new FaultBoard(command.options, state);
  const stopping = new AbortController();
  const { signal } = stopping;
  t.after(() => stopping.abort());
  const { lasting } = state;
  const table = new FaultTable(world, { signal, lasting, trouble: (text) => assert.fail(text) });
  const on = new Set<string>();
  const kinds = (['node', 'database', 'api'] as const).map((takes) => kindOf(takes, takes, on));
  const begin = () =>
    board.source(table, {
      ...{ kinds, signal, random: seededRandom(4), untilMs: bootNowMs() + lastsMs },
      weather: { gapMs: [0, 1], stormMs: lastsMs, calmMs: 0 },
    });
  return { begin, board, on, table };
}

test('a fault that is pressed is done to the chosen node, until it is healed', async (t) => {
  const { begin, board, on, table } = openTestBoard(t);
  assert.equal(board.press('node', 'n2'), 'no faults are taken now');
  void begin();
  assert.equal(board.press('node', 'n2'), null);
  await until('it is on', () => on.has('node n2'));
  board.heal('database');
  assert.equal(table.healed.length, 0, 'of another kind nothing is healed');
  board.heal('node');
  await until('it is healed', () => table.healed.length === 1);
  assert.deepEqual([...on], []);
});

test('on a board, too, one node stays healthy and one thing breaks the database', async (t) => {
  const { begin, board } = openTestBoard(t);
  void begin();
  assert.equal(board.press('node', null), null);
  assert.equal(board.press('node', null), 'one node has to stay healthy');
  assert.equal(board.press('database', null), null);
  assert.equal(board.press('database', null), 'the database is broken already');
  assert.equal(board.press('spool disk full', null), 'only root can mount a small disk');
  assert.equal(board.press('', null), 'there is no fault "" here');
});

test('the end of a board heals what was pressed and what was dealt', async (t) => {
  const { begin, board, on, table } = openTestBoard(t);
  const ended = begin();
  board.press('database', null);
  board.deal(true);
  await until('the seed deals, too', () => on.size === 3);
  assert.equal(board.isDealing, true);
  board.finish();
  await within('its end', ended);
  assert.deepEqual([...on], []);
  assert.equal(table.healed.length, 3);
  assert.equal(board.press('api', null), 'no faults are taken now');
});

test('what the seed has dealt lasts on when it deals no more', async (t) => {
  const { begin, board, on } = openTestBoard(t);
  void begin();
  board.deal(true);
  await until('each place is taken', () => on.size === 3);
  board.deal(false);
  assert.equal(board.isDealing, false);
  board.heal('api');
  await until('it is healed', () => on.size === 2);
  assert.equal(board.press('api', null), null);
});

test('a fault that lasts is told as one that lasts until now', async (t) => {
  const { begin, board, on, table } = openTestBoard(t);
  void begin();
  board.press('node', 'n2');
  const beganMs = bootNowMs();
  // Nobody knows yet what it stops.
  assert.deepEqual(stopsOf(table.soFar()), [['n2', 'everything']]);
  await until('it is on', () => on.has('node n2'));
  await until('what it stops is known', () => table.soFar()[0]?.stops === 'nothing');
  assert.ok((table.soFar()[0]?.untilMs ?? 0) > beganMs);
  board.heal('node');
  await until('it is healed', () => table.healed.length === 1);
  assert.deepEqual(table.soFar(), table.healed);
});

test('a red light stays red along the way, and the end decides', async (t) => {
  const { board } = openTestBoard(t);
  const lights = async () => {
    const { rules } = (await boardView(board)) as { rules: { rule: string; state: string }[] };
    return rules.map(({ rule, state }) => `${rule} ${state}`);
  };
  const all = (state: string) => Array.from({ length: 12 }, (_, at) => `C${at + 1} ${state}`);
  assert.deepEqual(await lights(), all('open'));
  const broken = new Map([['C4', { times: 1, first: 'They lived at once.' }]] as const);
  board.judged({ untilMs: 1, broken });
  board.judged({ untilMs: 2, broken: new Map() });
  assert.deepEqual(await lights(), all('sofar').with(3, 'C4 broken'));
  board.end = { verdict: { isClean: true, violations: [] } as unknown as Verdict, report: '' };
  assert.deepEqual(await lights(), all('kept'));
});

function stopsOf(faults: readonly FaultRecord[]): string[][] {
  return faults.map(({ target, stops }) => [target, stops]);
}
