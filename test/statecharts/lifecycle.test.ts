import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { arrows, type SlotState } from '../../src/domain/run/arrows.ts';
import { slotMachine } from '../../statecharts/slot.ts';
import { parseSource } from '../tidy/syntax.ts';
import type { ChartArrow } from './chart.ts';
import { readChart } from './readChart.ts';
import { type StateChange, stateChangesIn } from './stateChanges.ts';

const store = path.resolve(import.meta.dirname, '../../src/store');
const chart = readChart(slotMachine);

test('a slot actor begins where the claim leaves the row', () => {
  assert.equal(
    rowStateOf(chart.root.initial ?? ''),
    arrows.find(({ name }) => name === 'claim')?.to,
  );
});

test('every way of the slot chart between states of the row is an arrow of the lifecycle', () => {
  for (const { from, to } of crossings()) {
    const isLegal = arrows.some((arrow) => arrow.from.includes(from) && arrow.to === to);
    assert.ok(isLegal, `${from} → ${to} is no arrow`);
  }
});

test('what the slot chart takes for committed is an arrow from the state that it leaves', () => {
  let counted = 0;
  for (const { from, to, names } of crossings()) {
    for (const name of names) {
      const [request, answer] = name.split('.');
      if (answer !== 'committed') continue;
      counted += 1;
      const arrow = arrows.find((each) => each.name === request);
      assert.ok(arrow?.from.includes(from) && arrow.to === to, `${name}: ${from} → ${to}`);
    }
  }
  assert.ok(counted >= 3, 'start, finish and reset were not found');
});

test('a child can run only after start.committed', () => {
  const into = chart.arrows.filter(({ to }) => rowStateOf(to) === 'executing');
  const names = into
    .filter(({ from }) => rowStateOf(from) !== 'executing')
    .flatMap(({ labels }) => labels.flatMap((label) => label.names));
  assert.deepEqual(names, ['start.committed']);
});

test('each arrow that the slot asks for is in its chart', () => {
  const names = crossings().flatMap((crossing) => crossing.names);
  for (const { name, by } of arrows) {
    if (by === 'slot')
      assert.ok(names.includes(`${name}.committed`), `${name} is not in the chart`);
  }
});

test('every UPDATE of a slot follows an arrow, and every arrow has an UPDATE', async () => {
  const changes = await readStateChanges();
  for (const change of changes) assert.deepEqual(unlawful(change), [], change.name);
  for (const { name, from, to } of arrows) {
    for (const state of from) {
      const isWritten = changes.some((change) => change.to === to && change.from.includes(state));
      assert.ok(isWritten, `no statement does ${name} from ${state}`);
    }
  }
});

test('an UPDATE that no arrow allows, or that no state guards, would be noticed', () => {
  const changesOf = (sql: string) => stateChangesIn(parseSource(`const a = \`${sql}\`;`));
  const [jump] = changesOf("/* jump */ UPDATE slot SET state = 'executing' WHERE state = 'idle'");
  assert.ok(jump !== undefined && unlawful(jump).length > 0);
  assert.throws(() => changesOf("/* all */ UPDATE slot SET state = 'idle' WHERE slot_id = ?"));
  assert.throws(() => changesOf('/* due */ UPDATE slot SET target_id = ?, due_at = ? WHERE a = ?'));
  const [placed] = changesOf('/* place */ UPDATE slot SET target_id = ? WHERE job_id = ?');
  assert.equal(placed?.to, null);
  const [lawful] = changesOf("/* move */ UPDATE slot SET cursor_at = ? WHERE state = 'idle'");
  assert.ok(lawful !== undefined && unlawful(lawful).length === 0);
});

/** The pairs that the statement could move a row between and no arrow allows. */
function unlawful({ from, to }: StateChange): string[] {
  if (to === null) return [];
  const others = from.filter((state) => state !== to);
  return others
    .filter((state) => !arrows.some((arrow) => arrow.to === to && arrow.from.includes(state)))
    .map((state) => `${state} → ${to}`);
}

async function readStateChanges(): Promise<StateChange[]> {
  const names = (await readdir(store, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(store, name), 'utf8')));
  return texts.flatMap((text) => stateChangesIn(parseSource(text)));
}

/** The transitions that leave one state of the row for another; `reset` is in memory only. */
function crossings(): { from: SlotState; to: SlotState; names: readonly string[] }[] {
  return chart.arrows.flatMap(({ from, to, labels }: ChartArrow) => {
    const [before, after] = [rowStateOf(from), rowStateOf(to)];
    if (before === null || after === null || before === after) return [];
    return [{ from: before, to: after, names: labels.flatMap(({ names }) => names) }];
  });
}

function rowStateOf(id: string): SlotState | null {
  const top = id.split('.')[1];
  return top === 'idle' || top === 'prepare' || top === 'executing' ? top : null;
}
