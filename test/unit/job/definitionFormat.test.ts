import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  definitionFormat,
  whyNotUnderstood,
  withLowestFormat,
} from '../../../src/domain/job/edit/definitionFormat.ts';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';

const plain: JobDefinition = { ...jobDefaults, name: 'job', schedule: '@daily', command: 'true' };
/** What a later version may have written. */
const foreign = (more: object): JobDefinition => ({ ...plain, ...more });

test('a definition has the lowest format that can express it, and none is 1', () => {
  assert.deepEqual(withLowestFormat(plain), plain);
  assert.deepEqual(withLowestFormat({ ...plain, format: 2 }), plain);
  assert.equal(withLowestFormat({ ...plain, onFence: 'finish' }).format, 2);
  // Nodes that do not know a field leave the job to others, which are asked for by the format.
  assert.equal(withLowestFormat({ ...plain, description: 'nightly' }).format, 5);
  assert.equal(withLowestFormat({ ...plain, parallel: 100 }).format, 3);
  assert.equal(withLowestFormat({ ...plain, parallel: 101 }).format, 5);
  const everyNode = { ...plain, kind: 'every-node' } as const;
  assert.equal(withLowestFormat({ ...everyNode, parallel: 2 }).format, 5);
});

test('what this version does not know keeps its number', () => {
  const newer = foreign({ format: 9, colour: 'red' });
  assert.deepEqual(withLowestFormat(newer), newer);
  assert.deepEqual(withLowestFormat(foreign({ format: 2, colour: 'red' })).format, 2);
  assert.deepEqual(withLowestFormat(foreign({ format: 9 })).format, 9);
});

test('what is not understood whole is not run: format, field, value or schedule', () => {
  assert.equal(whyNotUnderstood(plain), null);
  assert.equal(whyNotUnderstood({ ...plain, onFence: 'finish', format: definitionFormat }), null);
  const newer = definitionFormat + 1;
  assert.match(whyNotUnderstood(foreign({ format: newer })) ?? '', RegExp(`format ${newer},`));
  assert.match(whyNotUnderstood(foreign({ colour: 'red' })) ?? '', /colour/);
  assert.match(whyNotUnderstood(foreign({ onFence: 'dream' })) ?? '', /onFence is dream/);
  assert.match(whyNotUnderstood(foreign({ leftovers: 'eat' })) ?? '', /leftovers is eat/);
  assert.match(whyNotUnderstood(foreign({ schedule: '@moon' })) ?? '', /cannot be read/);
});
