import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTicks, lastTickAtOrBefore, nextTick } from '../../../src/domain/schedule/ticks.ts';
import { read, refuse, ticks } from './read.ts';

test('the words for fields are those fields, in lower case only', () => {
  const words: [string, string][] = [
    ['@yearly', '0 0 0 1 1 *'],
    ['@annually', '0 0 0 1 1 *'],
    ['@monthly', '0 0 0 1 * *'],
    ['@weekly', '0 0 0 * * 0'],
    ['@daily', '0 0 0 * * *'],
    [' @midnight\t', '0 0 0 * * *'],
    ['@hourly', '0 0 * * * *'],
    ['@minutely', '0 * * * * *'],
  ];
  for (const [word, fields] of words) assert.equal(read(word).canonical, fields);
  for (const word of ['@DAILY', '@dailyx', '@secondly', '@', '@ daily', '@daily 5']) refuse(word);
  assert.match(refuse('@reboot').error, /belongs to no machine/);
});

test('@every counts from its anchor and its answer depends on nothing else', () => {
  const every = read('@every 1h30m');
  assert.equal(every.kind, 'every');
  assert.equal(every.canonical, '@every 1h30m');
  const anchor = Date.parse('2026-03-08T00:00:00.700Z');
  const first = Date.parse('2026-03-08T01:30:00Z');
  assert.equal(nextTick(every, anchor - 5_000_000, anchor), first);
  assert.equal(nextTick(every, first - 1, anchor), first);
  assert.equal(nextTick(every, first, anchor), first + 5_400_000);
  assert.equal(lastTickAtOrBefore(every, first - 1, anchor), null);
  assert.equal(lastTickAtOrBefore(every, first + 5_399_999, anchor), first);
  const counted = countTicks(every, anchor, anchor + 10 * 86_400_000, 1000, anchor);
  assert.deepEqual(counted, { count: 160, exact: true });
  assert.deepEqual(ticks(every, '2026-03-08T00:00:00.700Z', 2), [
    '2026-03-08T01:30:00Z',
    '2026-03-08T03:00:00Z',
  ]);
});

test('@every takes whole seconds in h, m and s, from 1 s to 366 days', () => {
  const spelled: [string, string][] = [
    ['@every 1s', '@every 1s'],
    ['@every  90m', '@every 1h30m'],
    ['@every 1.5h', '@every 1h30m'],
    ['@every 0.1h', '@every 6m'],
    ['@every 8784h', '@every 8784h'],
    ['@every 1m1h', '@every 1h1m'],
  ];
  for (const [text, canonical] of spelled) assert.equal(read(text).canonical, canonical);
  const wrong = [
    '',
    '5',
    '0s',
    '1ns',
    '500ms',
    '1.5s',
    '8784h1s',
    '1d',
    '-5m',
    '+5m',
    '５m',
    '1e3s',
  ];
  for (const text of wrong) refuse(`@every ${text}`);
  refuse('@every5m');
});

test('@at runs once: at its instant, or at that wall time in its zone', () => {
  const at = read('@at 2030-01-01T09:00:00+09:00');
  const instant = Date.parse('2030-01-01T00:00:00Z');
  assert.equal(at.canonical, '@at 2030-01-01T00:00:00Z');
  assert.equal(nextTick(at, instant - 1), instant);
  assert.equal(nextTick(at, instant), null);
  assert.equal(lastTickAtOrBefore(at, instant), instant);
  assert.equal(lastTickAtOrBefore(at, instant - 1), null);
  const local = (text: string, options = {}) =>
    read(text, { timezone: 'America/New_York', ...options }).canonical;
  assert.equal(local('@at 2026-07-01 12:30'), '@at 2026-07-01T16:30:00Z');
  assert.equal(local('@at 2026-03-08T02:30:00'), '@at 2026-03-08T07:00:00Z');
  assert.equal(local('@at 2026-11-01T01:30:00'), '@at 2026-11-01T05:30:00Z');
  assert.equal(local('@at 2026-11-01T01:30', { fold: 'second' }), '@at 2026-11-01T06:30:00Z');
  refuse('@at 2026-03-08T02:30', { timezone: 'America/New_York', gap: 'skip' });
  const wrong = [
    '',
    'now',
    '2030-02-30T00:00Z',
    '2030-01-01',
    '2030-01-01T24:00Z',
    '2030-01-01T00:00+01:60',
    '2030-01-01T00:00-00:99',
    '1969-01-01T00:00Z',
  ];
  for (const text of wrong) refuse(`@at ${text}`);
});

test('@manual never ticks', () => {
  const manual = read('@manual');
  assert.equal(nextTick(manual, 0), null);
  assert.equal(lastTickAtOrBefore(manual, Date.now()), null);
  assert.deepEqual(countTicks(manual, 0, Date.now(), 9), { count: 0, exact: true });
});
