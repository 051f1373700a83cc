import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { manPage } from '../../../src/cli/print/manPage.ts';
import { makeProgram } from '../../../src/cli/program.ts';

const program = await makeProgram(() => undefined);
const page = manPage(program, '1.2.3');
const shown = page.replaceAll('\\-', '-');

test('the man page has every command and every flag that is shown', () => {
  const all = (command: Command): Command[] => command.commands.flatMap((c) => [c, ...all(c)]);
  const missing = all(program).flatMap((command) => {
    const flags = command.options.filter(({ hidden }) => !hidden).map(({ flags: text }) => text);
    const own = command.commands.length === 0 ? [command.name()] : [];
    return [...own, ...flags].filter((word) => !shown.includes(word));
  });
  assert.deepEqual(missing, []);
  assert.match(shown, /^\.SS job add\n\\fBstatecron\\fR job add <name>\n\.PP\nAdd a job\.$/m);
});

test('the man page has every variable that commands read', () => {
  const root = path.resolve(import.meta.dirname, '../../../src/cli');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const texts = files.filter((name) => /(?<!manPage)\.ts$/.test(name));
  const named = texts.flatMap(
    (name) =>
      readFileSync(path.join(root, name), 'utf8').match(/\bSTATECRON_[A-Z_]*[A-Z]\b/g) ?? [],
  );
  assert.ok(named.length > 20);
  // Between the processes of a node.
  const inner = new Set([
    ...['STATECRON_GUARDIAN_FD', 'STATECRON_NOTIFY_FD', 'STATECRON_ON_FENCE'],
    'STATECRON_PAGE_TOKEN_ID',
  ]);
  const missing = named.filter((name) => !inner.has(name) && !shown.includes(name));
  assert.deepEqual(missing, []);
});

const hasGroff = spawnSync('groff', ['--version']).status === 0;

test('groff finds no fault with the man page', {
  skip: hasGroff ? false : 'not run: there is no groff on this machine',
}, () => {
  const check = (input: string) =>
    spawnSync('groff', ['-man', '-ww', '-Tascii', '-z'], { input, encoding: 'utf8' }).stderr;
  assert.equal(check(page), '');
  assert.notEqual(check(`${page}\n.nosuchmacro x\n`), '', 'it would be noticed');
});
