import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFaultOptions } from './readFaultOptions.ts';

test('an option that would do nothing is refused, with what it is for', () => {
  const refused = (line: string, why: RegExp) =>
    assert.throws(() => readFaultOptions(line.split(' ')), why, line);
  refused('--attach --engine galera', /--engine does nothing with --attach/);
  refused('--attach --seed 1 --nodes 5', /--nodes does nothing with --attach/);
  refused('--replay folder --seed 5', /--seed does nothing with --replay/);
  refused('--mark mine --attach', /--attach does nothing with --mark/);
  refused('--proxies a,b', /--proxies: only with --attach/);
  refused('--database-url mysql://a', /--database-url: only with --mark, --unmark, --attach/);
});

test('a cluster that is attached to keeps what the run has of its own', () => {
  const line = '--attach --seed 3 --minutes 1 --proxies a,b --operations run --json --out folder';
  const read = readFaultOptions(line.split(' '));
  assert.ok(read.command === 'run');
  assert.deepEqual(read.options.attach?.proxies, ['a', 'b']);
  assert.equal(read.options.seed, 3);
});
