import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodes } from '../../../src/domain/errors/errors.ts';
import { docPages } from '../../support/docPages.ts';
import { knownVariables } from './knownVariables.ts';
import { printedTexts, textsOfPage, textsOfSource } from './printedTexts.ts';
import { type PrintedThing, printedThings } from './printedThings.ts';

const texts = printedTexts();

test('all that is printed or documented names what there is, and its commands parse', (t) => {
  const things = texts.flatMap(printedThings);
  const kinds = countByKind(things);
  t.diagnostic(`${things.length} printed things checked: ${kinds}`);
  assert.deepEqual(faultsOf(things), []);
  assert.ok(things.length > 1_500, 'most of them were not found');
});

test('the help names every exit code', () => {
  const [help] = texts.filter(({ text }) => text.includes('Exit codes: '));
  assert.ok(help);
  const named = printedThings(help).flatMap(({ kind, name }) =>
    kind === 'exit codes' ? [Number(name.replace('exit code ', ''))] : [],
  );
  assert.deepEqual(new Set(named), new Set(Object.values(exitCodes)));
});

test('the pages name every variable that the program reads or sets for jobs', () => {
  const pages = docPages().map(({ text }) => text);
  const missing = [...knownVariables('src')].filter(
    (name) => name.startsWith('STATECRON_') && !pages.some((text) => text.includes(name)),
  );
  // Between the processes of one node.
  const own = [
    'STATECRON_GUARDIAN_FD',
    'STATECRON_NOTIFY_FD',
    'STATECRON_ON_FENCE',
    'STATECRON_PAGE_TOKEN_ID',
  ];
  assert.deepEqual(
    missing.filter((name) => !own.includes(name)),
    [],
  );
});

test('what a page names and is not there would be noticed', () => {
  for (const [text, fault] of Object.entries({
    '```\nstatecron job ad x\n```': 'statecron job ad x',
    '```\ncrontab -l | statecron import - --observed\n```': 'statecron import - --observed',
    '```\nstatecron job show\n```': 'statecron job show',
    '```\nstatecron next "* * * * *" \\\n  --zone UTC\n```': 'statecron next * * * * * --zone UTC',
    '```\napi -X PUT "$STATECRON_URL/api/v1/runs"\n```': 'PUT /api/v1/runs',
    '```no-run\nx\n```': 'no-run',
    'see `statecron jobs`': 'statecron jobs',
    'see `statecron docs nowhere`': 'docs nowhere',
    'see `run log --tail`': 'statecron run log --tail',
    'see `--no-such-flag`': '--no-such-flag',
    'set `STATECRON_NOBODY`': 'STATECRON_NOBODY',
    'It ends with 77.': 'exit code 77',
    'read `/api/v1/job`': '/api/v1/job',
    'run `npm run nothing`': 'npm run nothing',
    'see `nowhere.ts`': '`nowhere.ts`',
  })) {
    const found = textsOfPage('docs/x.md', `${text}\n`).flatMap(printedThings);
    assert.ok(
      found.some(({ name, fault: why }) => name === fault && why !== null),
      `${text}: ${JSON.stringify(found)}`,
    );
  }
});

test('a hint that names what is not there would be noticed, and a sentence is none', () => {
  const source = (text: string) => textsOfSource({ path: 'src/x.ts', text }).flatMap(printedThings);
  const isFaulty = (text: string) => source(text).some(({ fault }) => fault !== null);
  assert.ok(isFaulty("const hint = 'See it with: statecron job sho NAME';"));
  assert.ok(isFaulty(`const hint = 'See: statecron runs --state ' + name;`));
  assert.ok(isFaulty("const hint = 'Give this node another --nam';"));
  assert.ok(isFaulty("const hint = 'Set STATECRON_DATABASE_URI';"));
  assert.ok(isFaulty('const help = `\n  $ statecron job edit --retries\n`;'));
  assert.ok(!isFaulty("const hint = 'See: statecron runs --job ' + name;"));
  assert.ok(!isFaulty("const said = 'statecron is later';"));
});

function faultsOf(things: readonly PrintedThing[]): string[] {
  return things
    .filter(({ fault }) => fault !== null)
    .map(({ path, line, name, fault }) => `${path}:${line} ${name}: ${fault}`);
}

function countByKind(things: readonly PrintedThing[]): string {
  const kinds = [...new Set(things.map(({ kind }) => kind))];
  return kinds
    .map((kind) => `${things.filter((each) => each.kind === kind).length} ${kind}`)
    .join(', ');
}
