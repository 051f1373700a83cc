import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { actorsChart } from './actorsChart.ts';
import { chartedMachines } from './chartedMachines.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readme = await readFile(path.join(root, 'statecharts/README.md'), 'utf8');
const { root: node, arrows } = await actorsChart();

const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const inName = (id: string) => id.replace('actors.', '');

test('the README of the charts counts the machines and the actors that there are', () => {
  const started = node.states.filter(({ name }) => name !== 'node' && name !== 'slot');
  const says = (pattern: RegExp) => words.indexOf(readme.match(pattern)?.[1] ?? '');
  assert.equal(says(/one of (\w+) small machines/), chartedMachines.length);
  assert.equal(says(/A node starts (\w+) actors/), started.length);
  assert.equal(says(/keeps the (\w+) actors below/), started.length);
  for (const { id } of chartedMachines) assert.match(readme, new RegExp(`^### ${id}$`, 'm'));
});

test('the table of messages has every message that the sources send, and no other', () => {
  const sent = arrows.flatMap(({ from, to, labels }) =>
    labels.flatMap(({ names }) => names.map((name) => `${inName(from)} ${name} ${inName(to)}`)),
  );
  assert.deepEqual(messagesOfTable().sort(), [...new Set(sent)].sort());
});

test('no text offers the JSON of a machine to an editor that imports sources alone', async () => {
  const command = 'src/cli/cluster/clusterCommands.ts';
  for (const text of [readme, await readFile(path.join(root, command), 'utf8')]) {
    assert.doesNotMatch(text, /json\b[^\n]*\b(paste|Stately)/i);
  }
});

/** Each row as `from message to`; `.refused` stands for the message before it with that ending. */
function messagesOfTable(): string[] {
  const rows = readme.matchAll(/^\| ([a-z, ]+) \| (`[^|]+`) \| ([a-z, ]+) \| /gm);
  return [...rows].flatMap(([, from = '', texts = '', to = '']) => {
    let family = '';
    const messages = [...texts.matchAll(/`([\w.]+)`/g)].map(([, text = '']) => {
      if (!text.startsWith('.')) family = text.slice(0, text.indexOf('.'));
      return text.startsWith('.') ? family + text : text;
    });
    return from
      .split(', ')
      .flatMap((one) =>
        messages.flatMap((each) => to.split(', ').map((two) => `${one} ${each} ${two}`)),
      );
  });
}
