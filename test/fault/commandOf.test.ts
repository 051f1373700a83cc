import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandOf } from './commandOf.ts';
import { type FaultOptions, readFaultOptions } from './readFaultOptions.ts';

function optionsOf(args: readonly string[]): FaultOptions {
  const command = readFaultOptions(args);
  assert.ok(command.command === 'run');
  return command.options;
}

test('the command of a run reads as the options that it was made with', () => {
  const out = ['--out', '/tmp/x'];
  for (const line of [
    [],
    ['--seed', '7', '--minutes', '0.5', '--engine', 'group-replication', '--multi-primary'],
    ['--nodes', '5', '--session-ttl', '2.5s', '--api', '0', '--faults', 'node killed,stripe'],
  ]) {
    const options = optionsOf([...line, ...out]);
    const text = commandOf(options);
    assert.match(text, /^npm run fault -- --seed \d+ --engine \S+ /);
    const words = text.slice('npm run fault -- '.length).match(/'[^']*'|\S+/g) ?? [];
    const again = words.map((word) => word.replaceAll("'", ''));
    assert.deepEqual(optionsOf([...again, ...out]), options);
  }
});
