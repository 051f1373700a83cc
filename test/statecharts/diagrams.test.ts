import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { createMachine } from 'xstate';
import type { Chart } from './chart.ts';
import { findCollisions } from './findCollisions.ts';
import { layoutChart, type PlacedChart, sheetMax } from './layoutChart.ts';
import { lifecycleChart } from './lifecycleChart.ts';
import { paintChart } from './paintChart.ts';
import { readChart } from './readChart.ts';
import { layoutMachines, pageStyle, renderMachines } from './renderMachines.ts';
import { sharedProperties } from './shades.ts';
import { meaningsOf, namedMeanings } from './stateMeaning.ts';
import { writeMermaid } from './writeMermaid.ts';

const folder = path.resolve(import.meta.dirname, '../../statecharts');
const placedCharts = await layoutMachines();
const charts = placedCharts.map(({ chart }) => chart);
const layouts = new Map(placedCharts.map((placed) => [placed.chart.id, placed]));

test('the committed diagrams are those of the machines that run', async () => {
  const rendered = renderMachines(placedCharts);
  for (const { name, text } of rendered) {
    const committed = await readFile(path.join(folder, name), 'utf8').catch(() => '');
    assert.ok(committed === text, `${name} is stale; draw it anew with: npm run statecharts`);
  }
  const style = path.resolve(folder, '../src/page/style/chartColours.css');
  const stale = "the page's style is stale; write it anew with: npm run statecharts";
  assert.ok((await readFile(style, 'utf8')) === pageStyle(), stale);
  const tokens = await readFile(path.resolve(folder, '../src/page/style/tokens.css'), 'utf8');
  for (const each of sharedProperties()) assert.ok(tokens.includes(`  ${each};`), each);
  const drawn = (await readdir(folder)).filter((name) => /\.(svg|mmd)$/.test(name)).sort();
  assert.deepEqual(drawn, rendered.map(({ name }) => name).sort());
});

for (const chart of charts) {
  test(`no word of ${chart.id} is covered or cut in its drawing`, () => {
    assert.deepEqual(findCollisions(layoutOf(chart)), []);
  });

  test(`${chart.id} fits the window of a small screen, with text that can be read`, () => {
    const placed = layoutOf(chart);
    assert.ok(placed.sheet.width <= sheetMax.width, `it is ${placed.sheet.width} wide`);
    assert.ok(placed.sheet.height <= sheetMax.height, `it is ${placed.sheet.height} high`);
    const sizes = [...paintChart(placed).matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => size);
    assert.ok(Math.min(...sizes.map(Number)) >= 11, `${sizes}`);
  });

  test(`every state and every transition of ${chart.id} is in both its diagrams`, () => {
    const svg = paintChart(layoutOf(chart));
    const [seen, tooltips] = [seenIn(svg), textOf(svg)];
    const mermaid = writeMermaid(chart);
    for (const id of meaningsOf(chart).keys()) {
      assert.ok(seen.includes(id.split('.').at(-1) ?? id), `${id} is not in the drawing`);
      assert.ok(mermaid.includes(id.replaceAll('.', '_')), `${id} is not in the Mermaid text`);
    }
    for (const { from, to, labels } of chart.arrows) {
      const names = labels.flatMap((label) => label.names);
      const actions = labels.flatMap((label) => label.actions);
      for (const name of names) assert.ok(seen.includes(name), `${name} is not to be seen`);
      for (const word of [...names, ...actions]) {
        assert.ok(tooltips.includes(word), `${word} of ${from} → ${to} is in no tooltip`);
        assert.ok(mermaid.includes(word), `${word} of ${from} → ${to} is not in the Mermaid`);
      }
    }
  });
}

test('each name in the table of meanings is a state of some chart', () => {
  const known = new Set(charts.flatMap((chart) => [...meaningsOf(chart).keys()]));
  assert.deepEqual(
    Object.keys(namedMeanings).filter((id) => !known.has(id)),
    [],
  );
});

test('text from a machine cannot break out of the drawing or of the Mermaid text', async () => {
  const description = 'less < more & "quoted"; #hash: </svg> {brace}';
  const machine = createMachine({
    id: 'odd',
    description,
    initial: 'a',
    states: { a: { description, always: { guard: 'b<c', target: 'b' } }, b: { type: 'final' } },
  });
  const chart = readChart(machine);
  const svg = paintChart(await layoutChart(chart));
  assert.equal(svg.match(/<\/svg>/g)?.length, 1);
  assert.ok(!/&(?!amp;|lt;|gt;|quot;)/.test(svg), 'an ampersand is not escaped');
  const boxes = writeMermaid(chart)
    .split('\n')
    .filter((line) => line.startsWith('  odd_a:'));
  assert.equal(boxes.length, 1);
  assert.ok(!/[;#"{}]/.test(boxes[0] ?? ''), boxes[0]);
});

test('two words on top of each other would be noticed', () => {
  const placed = layoutOf(lifecycleChart());
  const [first, ...others] = placed.arrows;
  const box = others.find(({ label }) => label !== null)?.label?.box;
  assert.ok(first !== undefined && box !== undefined);
  const label = others.find((each) => each.label?.box !== box)?.label;
  assert.ok(label !== undefined && label !== null);
  const moved = { ...first, label: { ...label, box } };
  assert.notDeepEqual(findCollisions({ ...placed, arrows: [moved, ...others] }), []);
});

function layoutOf({ id }: Chart): PlacedChart {
  const placed = layouts.get(id);
  assert.ok(placed !== undefined);
  return placed;
}

/** The words of a drawing that are seen. */
function seenIn(svg: string): string {
  return textOf(svg.replace(/<(title|desc|style)\b[^>]*>[\s\S]*?<\/\1>/g, ' '));
}

/** The words of a drawing without its tags. */
function textOf(svg: string): string {
  return svg.replace(/<[^>]*>/g, ' ').replaceAll('&amp;', '&');
}
