import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTooDeep } from '../../../src/domain/jobFile/parseYaml.ts';
import { readYamlJobs } from '../../../src/domain/jobFile/readYamlJobs.ts';

/** Each would end the process, or keep it busy for minutes, if it were read. */
const bombs = {
  brackets: '['.repeat(250_000),
  braces: `jobs: ${'{a: '.repeat(60_000)}`,
  'brackets and braces': '[{a: '.repeat(50_000),
  'brackets on lines': '[\n'.repeat(100_000),
  lists: '- '.repeat(120_000),
  keys: `${'? '.repeat(120_000)}x`,
  'lists and keys': `${'- ? '.repeat(60_000)}x`,
  'tabs between': `${'-\t'.repeat(120_000)}x`,
};

test('a text that is nested too deeply is refused before it is read', () => {
  for (const [name, text] of Object.entries(bombs)) {
    assert.equal(isTooDeep(text), true, name);
    const { faults, jobs } = readYamlJobs(text);
    assert.deepEqual([faults.length, faults[0]?.line, jobs.length], [1, 1, 0], name);
  }
});

test('brackets in commands are no nesting, as long as they are closed or few', () => {
  const commands = ['[[ -f x ]] && { a; }', `echo ${'[]{}'.repeat(20_000)}`, '- - - ? x', '[{'];
  for (const command of commands) {
    const text = `jobs:\n  a:\n    cron: '@daily'\n    command: ${JSON.stringify(command)}\n`;
    assert.equal(isTooDeep(text), false, command.slice(0, 20));
    const { faults, jobs } = readYamlJobs(text);
    assert.deepEqual(faults, []);
    assert.equal(jobs[0]?.fields.command, command);
  }
});

test('what is let through is read within the stack that there is', () => {
  for (const text of ['['.repeat(1_000), '{a: '.repeat(1_000), `${'- '.repeat(100)}x`]) {
    assert.equal(isTooDeep(text), false);
    assert.ok(readYamlJobs(text).faults.length > 0);
  }
});
