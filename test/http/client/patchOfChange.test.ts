import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newDefinition, replacedDefinition } from '../../../src/domain/job/edit/buildDefinition.ts';
import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import type { JobFields } from '../../../src/domain/job/jobPolicies.ts';
import { readJsonFields } from '../../../src/domain/job/readJsonFields.ts';
import { mergeJsonFields } from '../../../src/domain/jobFile/mergeJsonFields.ts';
import { bodyOfDefinition, patchOfChange } from '../../../src/http/client/patchOfChange.ts';
import { fieldsView } from '../../../src/http/views/jobView.ts';

const nowMs = Date.parse('2030-01-01T00:00:00Z');
const plain: JobFields = { cron: ['@daily'], command: 'true' };

const some: readonly JobFields[] = [
  plain,
  { ...plain, cron: ['0 3 * * *', '@every 90s'], timezone: 'Europe/Berlin' },
  { ...plain, cron: ['CRON_TZ=Asia/Tokyo 0 9 * * *'] },
  { ...plain, cron: ['CRON_TZ=Asia/Tokyo 0 9 * * *'], command: 'echo "$A"', env: ['A=1', 'B=x=y'] },
  { ...plain, env: ['B=', 'constructor=2'], secretEnv: ['TOKEN=123456'] },
  { ...plain, retries: 3 },
  { ...plain, retries: 3, retryDelay: 5_000, retryOn: ['timeout'], retryJitter: false },
  { ...plain, timeout: 90_000, grace: 1_000, outputMax: 1_000, cwd: '/srv', stdin: 'a\nb' },
  { ...plain, kind: 'every-node', onNode: ['a', 'b'], notOnLabel: ['eu'], tag: ['x'] },
  { ...plain, onGroup: ['web'], group: 'shop', after: ['other:failure', 'more'] },
  { ...plain, parallel: 3, splay: 1_000, nice: -5 },
  { ...plain, overlap: 'queue', misfire: 'all', catchUp: 60_000, nodeLoss: 'rerun' },
  { ...plain, notBefore: '2030-01-31T09:30:00Z', exclude: ['SAT'], dstGap: 'skip', maxRuns: 7 },
];

const definitions = some.map((fields) => newDefinition('job', fields, nowMs).definition);

test('what a change sends, merged by a node, makes the definition that was wanted', () => {
  for (const before of definitions) {
    for (const after of definitions) {
      const patch = JSON.parse(JSON.stringify(patchOfChange(before, after)));
      const fields = readJsonFields(mergeJsonFields(fieldsView(before), patch));
      const made = replacedDefinition(before, fields, nowMs).definition;
      assert.deepEqual(made, after, JSON.stringify({ before, after, patch }));
    }
  }
});

test('what a new job sends, read by a node, makes the definition that was wanted', () => {
  for (const definition of definitions) {
    const body = JSON.parse(JSON.stringify(bodyOfDefinition(definition)));
    const made = newDefinition('job', readJsonFields(body), nowMs).definition;
    assert.deepEqual(made, definition);
  }
});

test('no change sends nothing, and fields that the client does not know stay', () => {
  for (const definition of definitions) {
    const newer = { ...definition, ofTomorrow: 1 } as JobDefinition;
    assert.deepEqual(patchOfChange(newer, newer), {});
    const patch = patchOfChange(newer, { ...newer, command: 'other' });
    assert.deepEqual(patch, { command: 'other' });
  }
});
