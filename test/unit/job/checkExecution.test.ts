import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDefinition } from '../../../src/domain/job/checkDefinition.ts';
import { checkFields } from '../../../src/domain/job/checkFields.ts';
import { whyNotUnderstood } from '../../../src/domain/job/edit/definitionFormat.ts';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { JobPolicies } from '../../../src/domain/job/jobPolicies.ts';

const sound: JobPolicies[] = [
  {},
  { user: 'backup' },
  { user: '_apt' },
  { user: 'web.deploy-2$' },
  { umask: '027' },
  { umask: '0077' },
  { nice: -20 },
  { nice: 19 },
  { memoryBytesMax: 32 * 1024 * 1024 },
  { cpuSecondsMax: 1 },
  { keepDays: 1, keepRuns: 1 },
];

const job = { ...jobDefaults, name: 'job', schedule: '@daily', command: 'true' };

test('what a node can carry out is no fault', () => {
  for (const policies of sound) assert.deepEqual(checkDefinition({ ...job, ...policies }), []);
});

const refused: [keyof JobPolicies, unknown][] = [
  ['user', ''],
  ['user', '0'],
  ['user', '-u'],
  ['user', 'a b'],
  ['user', 'a\0b'],
  ['user', 'x'.repeat(33)],
  ['user', 7],
  ['umask', '27'],
  ['umask', '028'],
  ['umask', '1777'],
  ['umask', 22],
  ['nice', 20],
  ['nice', -21],
  ['nice', 1.5],
  ['nice', '5'],
  ['memoryBytesMax', 1024],
  ['memoryBytesMax', Number.POSITIVE_INFINITY],
  ['cpuSecondsMax', 0],
  ['keepDays', 0],
  ['keepRuns', -1],
];

for (const [field, value] of refused) {
  test(`${field} ${JSON.stringify(value)} is refused, stored it is left to others`, () => {
    const faults = checkFields({ ...job, [field]: value }, 'node');
    assert.deepEqual(
      faults.map((fault) => fault.field),
      [field],
    );
    const definition = { ...job, [field]: value, format: 3 };
    assert.deepEqual(
      checkDefinition(definition).map((fault) => fault.field),
      [field],
    );
    assert.match(whyNotUnderstood(definition) ?? '', new RegExp(`^its ${field} `));
  });
}
