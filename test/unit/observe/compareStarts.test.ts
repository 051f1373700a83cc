import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareStarts, type ObservedJob } from '../../../src/domain/observe/compareStarts.ts';
import { readCronLog } from '../../../src/domain/observe/readCronLog.ts';

const fromMs = Date.UTC(2026, 10, 24);
const dayMs = 86_400_000;
const hourMs = 3_600_000;
const range = [fromMs, fromMs + dayMs] as const;

const hours = (...all: number[]) => all.map((hour) => fromMs + hour * hourMs);

function job(name: string, ticks: number[], more: Partial<ObservedJob> = {}): ObservedJob {
  return { job: name, command: name, user: null, fromMs, untilMs: Infinity, ticks, ...more };
}

/** Cron starts a second or so after the minute. */
function starts(command: string, times: number[], user = 'root') {
  return times.map((ms) => ({ atMs: ms + 1_200, user, command }));
}

test('the same day is no difference, and seconds within the minute do not count', () => {
  const every = hours(1, 2, 3);
  const { agreed, differences } = compareStarts([job('a', every)], starts('a', every), range);
  assert.deepEqual([agreed, differences], [3, []]);
});

const shifted = 'statecron is 1 h later: another zone or line?';

test('each difference that was put in is named, and no other', () => {
  const wrapped = { command: "exec /bin/sh -c 'echo '\\''x'\\'''" };
  const jobs = [
    job('same', hours(4, 5)),
    job('wrapped', hours(6), wrapped),
    job('zone', hours(18, 20)),
    job('new', hours(7)),
    job('fewer', hours(1)),
    job('of www', hours(8), { user: 'www-data', command: 'w' }),
    job('later', hours(12), { fromMs: fromMs + 11 * hourMs }),
  ];
  const log = [
    ...starts('same', hours(4, 5)),
    ...starts("echo 'x'", hours(6)),
    ...starts('zone', hours(17, 19)),
    ...starts('fewer', hours(1, 2)),
    ...starts('w', hours(8)),
    ...starts('later', hours(10, 12)),
    ...starts('unknown', hours(3, 4)),
  ];
  const { agreed, differences } = compareStarts(jobs, log, range);
  const shown = differences.map(({ only, job: name, command, times, note }) => [
    ...[only, name ?? command, times.map((ms) => (ms - fromMs) / hourMs), note],
  ]);
  assert.deepEqual(shown, [
    ['cron', 'zone', [17, 19], shifted],
    ['statecron', 'zone', [18, 20], shifted],
    ['statecron', 'new', [7], 'cron never started this command'],
    ['cron', 'fewer', [2], null],
    ['statecron', 'of www', [8], 'cron never started this command'],
    ['cron', 'w', [8], 'the job of www has it as the user www-data'],
    ['cron', 'unknown', [3, 4], 'no observed job has this command'],
  ]);
  assert.equal(agreed, 5);
});

test('starts of users of whom no job is observed are no difference', () => {
  const jobs = [job('a', hours(1), { user: 'www' }), job('b', hours(2), { user: 'root' })];
  const log = [...starts('a', hours(1), 'www'), ...starts('b', hours(2))];
  const others = [...starts('x', hours(3), 'amy'), ...starts('y', hours(3), 'amy')];
  const without = compareStarts(jobs, [...log, ...others], range);
  assert.deepEqual(without, { agreed: 2, differences: [], otherUsers: ['amy'] });
  const their = starts('a', hours(3), 'bob');
  const { differences, otherUsers } = compareStarts(jobs, [...log, ...their], range);
  assert.deepEqual(otherUsers, []);
  assert.equal(differences[0]?.note, 'the job a has it as the user www');
  const anyUser = compareStarts([job('c', [])], others, range);
  assert.deepEqual([anyUser.differences.length, anyUser.otherUsers], [2, []], 'it may be theirs');
});

test('jobs with the same command share its starts by their own ticks', () => {
  const same = { command: 'x' };
  const jobs = [
    job('at 3', hours(3), same),
    job('at 15', hours(15), same),
    job('later', hours(6, 20), { ...same, fromMs: fromMs + 10 * hourMs }),
  ];
  const agreeing = compareStarts(jobs, starts('x', hours(3, 6, 15, 20)), range);
  assert.equal(agreeing.agreed, 3);
  assert.deepEqual(
    agreeing.differences.map(({ job: name }) => name),
    ['at 3'],
    'of 6 o’clock',
  );
  const { agreed, differences } = compareStarts(jobs, starts('x', hours(14, 2, 20)), range);
  assert.equal(agreed, 1);
  assert.deepEqual(
    differences.map(({ only, job: name, note }) => `${only} ${name} ${note === shifted}`),
    ['cron at 3 true', 'statecron at 3 true', 'cron at 15 true', 'statecron at 15 true'],
  );
  const twice = compareStarts([job('x', hours(1))], starts('x', hours(1, 1)), range);
  assert.deepEqual(twice.differences[0]?.times, hours(1), 'a start is one tick’s');
});

const nowMs = Date.UTC(2026, 0, 2, 12);
const atMs = Date.UTC(2026, 0, 1, 3, 0, 1);
const lines: Readonly<Record<string, string>> = {
  'RFC 3339': '2026-01-01T04:00:01.000000+01:00 web1 CRON[12]: (root) CMD (a b)',
  'short-iso of journalctl': '2026-01-01T04:00:01+0100 web1 CRON[12]: (root) CMD (a b)',
  cronie: '2026-01-01T03:00:01+00:00 web1 CROND[12]: (root) CMD (a b)',
  'JSON of journalctl': JSON.stringify({
    __REALTIME_TIMESTAMP: `${atMs}000`,
    MESSAGE: '(root) CMD (a b)',
  }),
};

for (const [name, line] of Object.entries(lines)) {
  test(`a start is read from a log in the form of ${name}`, () => {
    assert.deepEqual(readCronLog(`${line}\n`, nowMs), [{ atMs, user: 'root', command: 'a b' }]);
  });
}

test('a time without a year is the last such time, in the zone of the process', () => {
  const lineOf = (day: string) => `${day} 03:00:01 web1 CRON[12]: (root) CMD (a)`;
  const read = readCronLog(`${lineOf('Dec 31')}\n${lineOf('Jan  1')}`, nowMs);
  const local = [new Date(2025, 11, 31, 3, 0, 1), new Date(2026, 0, 1, 3, 0, 1)];
  assert.deepEqual(
    read.map((start) => start.atMs),
    local.map((date) => date.getTime()),
  );
});

test('other lines of a log, and JSON that was cut off, are passed over', () => {
  const others = [
    '2026-01-01T04:00:01+01:00 web1 CRON[12]: pam_unix(cron:session): session opened',
    '2026-01-01T04:00:01+01:00 web1 sshd[12]: (root) CMD (a)',
    '{"MESSAGE":"(root) CMD (a)","__REALTI',
    'Jan  1 03:00:01 web1 cron[1]: (CRON) INFO (Running @reboot jobs)',
  ];
  assert.deepEqual(readCronLog(others.join('\n'), nowMs), []);
});
