import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDefinition } from '../../../src/domain/job/checkDefinition.ts';
import { editedDefinition, newDefinition } from '../../../src/domain/job/edit/buildDefinition.ts';
import {
  whyNotUnderstood,
  withLowestFormat,
} from '../../../src/domain/job/edit/definitionFormat.ts';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { JobFields } from '../../../src/domain/job/jobPolicies.ts';
import {
  hideSecrets,
  keepSecrets,
  secretBounds,
  secretMarker,
  secretTexts,
  unkeptSecrets,
  withVariables,
} from '../../../src/domain/job/secretEnv.ts';

const job = (more: Partial<JobDefinition>): JobDefinition => ({
  ...jobDefaults,
  name: 'job',
  schedule: '@daily',
  command: 'true',
  ...more,
});
const faultsOf = (more: Partial<JobDefinition>): string[] =>
  checkDefinition(job(more)).map(({ field, message }) => `${field}: ${message}`);

test('a definition that is shown has the names of its secrets and no value', () => {
  const shown = hideSecrets(job({ env: { A: 'plain' }, secretEnv: { TOKEN: 'open sesame' } }));
  assert.deepEqual(shown.secretEnv, { TOKEN: secretMarker });
  assert.deepEqual(shown.env, { A: 'plain' });
  assert.doesNotMatch(JSON.stringify(shown), /sesame/);
});

test('an edit that sends the marker keeps the value, one that sends another changes it', () => {
  const current = job({ secretEnv: { TOKEN: 'open sesame', KEY: 'old key' } });
  const sent = job({ secretEnv: { TOKEN: secretMarker, KEY: 'new key' } });
  assert.deepEqual(keepSecrets(sent, current).secretEnv, { TOKEN: 'open sesame', KEY: 'new key' });
  assert.deepEqual(keepSecrets(hideSecrets(current), current), current);
  assert.equal(keepSecrets(job({}), current).secretEnv, undefined);
});

test('a marker without a value behind it is named', () => {
  const kept = keepSecrets(job({ secretEnv: { NEW: secretMarker } }), job({}));
  assert.deepEqual(unkeptSecrets(kept), ['NEW']);
  const inherited = job({ secretEnv: { constructor: secretMarker } });
  assert.deepEqual(unkeptSecrets(keepSecrets(inherited, job({}))), ['constructor']);
});

test('a run that is given another value for a secret has that as a secret', () => {
  const definition = job({ env: { A: '1' }, secretEnv: { TOKEN: 'open sesame' } });
  const run = withVariables(definition, { TOKEN: 'another one', A: '2', B: '3' });
  assert.deepEqual(run.env, { A: '2', B: '3' });
  assert.deepEqual(run.secretEnv, { TOKEN: 'another one' });
});

test('secrets that cannot be masked are refused, and no message has a value in it', () => {
  const { bytesMax, namesMax, valueBytesMin, linesMax } = secretBounds;
  const short = 'x'.repeat(valueBytesMin - 1);
  assert.match(faultsOf({ secretEnv: { PIN: short } }).join(), /^secretEnv: .*PIN has 5 bytes/);
  assert.deepEqual(faultsOf({ secretEnv: { PIN: `${short}x` } }), []);
  const many = Array.from({ length: namesMax + 1 }, (_, number) => [`N${number}`, 'long enough']);
  assert.match(faultsOf({ secretEnv: Object.fromEntries(many) }).join(), /33; 32 are allowed/);
  assert.match(faultsOf({ secretEnv: { A: 'x'.repeat(bytesMax + 1) } }).join(), /16385 bytes/);
  const lines = Array.from({ length: linesMax + 1 }, (_, number) => `line ${number}`).join('\n');
  assert.match(faultsOf({ secretEnv: { A: lines } }).join(), /lines together/);
  const twice = { env: { TOKEN: 'a' }, secretEnv: { TOKEN: 'open sesame' } };
  assert.match(faultsOf(twice).join(), /TOKEN is a plain variable/);
  assert.match(faultsOf({ secretEnv: { 'a-b': 'open sesame' } }).join(), /no variable's name/);
  assert.match(
    faultsOf({ secretEnv: { STATECRON_JOB: 'open sesame' } }).join(),
    /set by statecron/,
  );
  const all = faultsOf({ secretEnv: { 'a-b': 'open sesame', NUL: 'open\0sesame', PIN: 'sesam' } });
  assert.equal(all.length >= 3, true);
  assert.doesNotMatch(all.join(), /sesam/);
});

test('nodes of earlier versions leave a job with secrets to others', () => {
  const definition = withLowestFormat(job({ secretEnv: { TOKEN: 'open sesame' } }));
  assert.equal(definition.format, 4);
  assert.equal(whyNotUnderstood(definition), null);
  assert.equal(withLowestFormat(job({})).format, undefined);
});

test('the longest secret is looked for first, and each line of one with several', () => {
  assert.deepEqual(secretTexts(['a\nfirst line\r\n  second line  \n', 'short', 'longer']), [
    'a\nfirst line\r\n  second line  \n',
    'second line',
    'first line',
    'longer',
  ]);
});

test('a variable becomes secret by its word, and is one or the other', () => {
  const words = { cron: ['@daily'], command: 'true', env: ['A=1'], secretEnv: ['TOKEN=a=b=c=d'] };
  const added = newDefinition('job', words, 0).definition;
  assert.deepEqual([added.env, added.secretEnv], [{ A: '1' }, { TOKEN: 'a=b=c=d' }]);
  const edit = (options: JobFields) => editedDefinition(added, options, 0).definition;
  assert.deepEqual(edit({ secretEnv: ['A=no longer plain'] }).env, {});
  const plain = edit({ unsetEnv: ['TOKEN'], env: ['TOKEN=plain'] });
  assert.deepEqual([plain.env, plain.secretEnv], [{ A: '1', TOKEN: 'plain' }, undefined]);
  assert.equal(plain.format, undefined);
  assert.throws(() => edit({ env: ['TOKEN=plain'] }), /secretEnv: TOKEN is a plain variable/);
  assert.throws(
    () => edit({ secretEnv: ['open sesame'] }),
    (error: Error) => !/sesame/.test(error.message) && /has no "="/.test(error.message),
  );
});
