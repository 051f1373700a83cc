import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { textWidth } from '../../../../src/cli/output/table/textWidth.ts';
import { runProgram } from '../../../../src/cli/program.ts';
import { noTerminal, onTerminal } from '../../onTerminal.ts';
import { rowsMadeMs, tableRows } from './tableRows.ts';

const golden = new URL('./tables.txt', import.meta.url);
const zone = ['--timezone', 'Europe/Berlin', '--from', '2090-03-25T12:00:00Z', '--count', '3'];
const commands = [
  ...[['job', 'list'], ['job', 'why', 'backup'], ['runs'], ['cluster'], ['audit']],
  ['next', '30 2 * * *', ...zone],
];

test('tables on terminals of 80 and 120 columns are as the file has them', async (t) => {
  const url = await startNode(t);
  const texts: string[] = [];
  for (const args of commands) {
    for (const columns of [80, 120]) {
      const text = masked(await shownAt(columns, args, url));
      // Notes, and what `next` says of a clock change, are sentences that may be broken.
      const lines = text.split('\n').filter((line) => !/^Not shown: | {2}shifted: /.test(line));
      for (const line of lines) assert.ok(textWidth(line) <= columns, line);
      texts.push(`statecron ${args.join(' ')}    # ${columns} columns\n${text}`);
    }
  }
  const written = texts.join('\n');
  if (process.env.STATECRON_WRITE_TEXTS === '1') writeFileSync(golden, written);
  assert.equal(written, readFileSync(golden, 'utf8'), 'written anew by: npm run texts');
});

test('a list of jobs says when the last run ended, be it wide or narrow', async (t) => {
  const url = await startNode(t);
  const wide = await shownAt(80, ['job', 'list', '--wide'], url);
  assert.match(wide, / LAST +ENDED +TOOK .*\n.* succeeded +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /);
  const failed = await shownAt(80, ['job', 'list', '--failed'], url);
  assert.match(failed, / failed \(.+ ago\)/);
});

test('a real terminal gets the same', { skip: noTerminal }, async (t) => {
  const url = await startNode(t);
  const [args = []] = commands;
  const shown = await onTerminal([...args, '--url', url], 'mysql://nobody@127.0.0.1:1/none', 80);
  const plain = Buffer.from(shown, 'latin1').toString('utf8').replaceAll('\r', '');
  assert.equal(masked(plain), masked(await shownAt(80, args, url)));
});

/** A node whose answers are always the same. */
async function startNode(t: TestContext): Promise<string> {
  const answers: Readonly<Record<string, unknown>> = {
    '/api/v1/jobs': { items: tableRows.jobs, next: null },
    '/api/v1/jobs/backup/why': tableRows.why,
    '/api/v1/audit': { items: tableRows.audit, next: null },
    '/api/v1/runs': { items: tableRows.runs, next: null },
    '/api/v1/cluster': tableRows.cluster,
  };
  const server = createServer(({ url = '' }, response) => {
    const answer = answers[url.split('?', 1)[0] ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(asOfNow(JSON.stringify(answer ?? {})));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What was five minutes ago when the rows were made is so whenever they are asked for. */
function asOfNow(text: string): string {
  const passedMs = Date.now() - rowsMadeMs;
  const moved = (at: string): string => new Date(Date.parse(at) + passedMs).toISOString();
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, moved);
}

/** Without the texts that are others each day, in a width that is the same. */
function masked(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d/g, 'YYYY-MM-DD hh:mm:ss +hh:mm')
    .replaceAll(/\(in \d{5} days\)/g, '(in 23456 days)');
}

/** What a terminal of that width gets, without colours, and what is said beside it. */
async function shownAt(columns: number, args: readonly string[], url: string): Promise<string> {
  let shown = '';
  const { stderr, stdout } = process;
  const writeOn = stdout.write.bind(stdout);
  // Commands write texts; what the test runner says to its parent there are bytes.
  const write = (text: string | Uint8Array): boolean => {
    if (typeof text !== 'string') return writeOn(text);
    shown += text;
    return true;
  };
  const changes: readonly (readonly [object, string, unknown])[] = [
    [stdout, 'isTTY', true],
    [stdout, 'columns', columns],
    [stdout, 'write', write],
    [stderr, 'write', write],
    [stdout, 'getColorDepth', () => 1],
  ];
  const before = changes.map(([object, key]) => Object.getOwnPropertyDescriptor(object, key));
  for (const [object, key, value] of changes) {
    Object.defineProperty(object, key, { value, configurable: true, writable: true });
  }
  try {
    const where = args[0] === 'next' ? [] : ['--url', url];
    const code = await runProgram([...args, ...where]);
    return code === 0 ? shown : `ended with ${code}: ${shown}`;
  } finally {
    for (const [place, [object, key]] of changes.entries()) {
      const descriptor = before[place];
      if (descriptor === undefined) Reflect.deleteProperty(object, key);
      else Object.defineProperty(object, key, descriptor);
    }
  }
}
