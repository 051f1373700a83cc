import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean, nearNames } from '../../../src/domain/text/didYouMean.ts';

test('letters that are missing, too many, wrong or swapped are seen through', () => {
  const names = ['backup', 'report', 'tidy'];
  for (const typed of ['bakup', 'baackup', 'bsckup', 'abckup', 'BACKUP']) {
    assert.deepEqual(nearNames(typed, names), ['backup'], typed);
  }
});

test('what a text is short for comes before what differs less', () => {
  assert.deepEqual(nearNames('cmd', ['cwd', 'command']), ['command', 'cwd']);
  assert.deepEqual(nearNames('desc', ['description', 'name']), ['description']);
  for (const typed of ['co', 'cmf', 'dcm', 'commands']) {
    assert.ok(!nearNames(typed, ['compound']).includes('compound'), typed);
  }
});

test('only the nearest are offered, three at most, and none that is far away', () => {
  assert.deepEqual(nearNames('web1', ['web2', 'web9', 'web11', 'db1', 'web3']), [
    ...['web11', 'web2', 'web3'],
  ]);
  assert.deepEqual(nearNames('hello', ['help', 'job', 'up']), []);
  assert.deepEqual(nearNames('x', ['y']), []);
});

test('the question stands at the end of a message, or there is none', () => {
  assert.equal(didYouMean('bakup', ['backup']), ' Did you mean "backup"?');
  assert.equal(didYouMean('bakup', ['tidy']), '');
});
