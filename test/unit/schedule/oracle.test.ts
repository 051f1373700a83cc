import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSchedule } from '../../../src/domain/schedule/read/parseSchedule.ts';
import type { Dialect } from '../../../src/domain/schedule/schedule.ts';
import { lastTickAtOrBefore, nextTicks } from '../../../src/domain/schedule/ticks.ts';

/**
 * What other schedulers answered. The `unix` lines were asked of robfig/cron 3.0.1,
 * gorhill/cronexpr and cronie's own daemon (its main loop on a fake clock), their own test tables
 * included; the `quartz` lines of Quartz's CronExpression. Kept are the answers under our rules;
 * what peers answered otherwise, or were asked besides, is in peers.jsonl.
 * A line is [dialect, expression, zone, asked from, next instants, the peers that agree].
 */
type Line = [Dialect, string, string, string, string[], string];

const lines = readLines<Line>('oracle.jsonl');

/** What all of robfig, cronexpr, Quartz, cronsun, cronie, cron-parser and croner refuse. */
const refused = readLines<string>('refused.jsonl');

test('the next ticks are those that the other schedulers answered', () => {
  assert.ok(lines.length > 2000);
  for (const [dialect, expression, zone, from, next] of lines) {
    const schedule = parseSchedule(expression, { defaultTimezone: zone, dialect });
    if ('error' in schedule) assert.fail(`${expression}: ${schedule.error}`);
    const ticks = nextTicks(schedule, Date.parse(from), next.length);
    assert.deepEqual(ticks.map(isoSeconds), next, `${dialect} ${expression} ${zone} ${from}`);
  }
});

test('each of those ticks is the last one at its own instant and until the next', () => {
  for (const [dialect, expression, zone, , next] of lines) {
    const schedule = parseSchedule(expression, { defaultTimezone: zone, dialect });
    if ('error' in schedule) assert.fail(schedule.error);
    for (const [index, tick] of next.entries()) {
      const tickMs = Date.parse(tick);
      assert.equal(lastTickAtOrBefore(schedule, tickMs), tickMs, `${expression} ${zone} ${tick}`);
      const following = next[index + 1];
      if (following === undefined) continue;
      const last = lastTickAtOrBefore(schedule, Date.parse(following) - 1);
      assert.equal(last, tickMs, `${expression} ${zone} before ${following}`);
    }
  }
});

test('what every scheduler refuses is refused, with the field and what it takes', () => {
  assert.ok(refused.length > 140);
  for (const text of refused) {
    const fault = parseSchedule(text);
    assert.ok('error' in fault, `accepted: ${text}`);
    const named = fault.field === 'prefix' ? 'TZ=' : fault.field;
    assert.ok(named !== undefined && fault.error.startsWith(named), fault.error);
  }
});

test('the canonical text of a schedule gives the same ticks and the same canonical text', () => {
  for (const [dialect, expression, zone, from, next] of lines) {
    const schedule = parseSchedule(expression, { defaultTimezone: zone, dialect });
    if ('error' in schedule) assert.fail(schedule.error);
    const again = parseSchedule(schedule.canonical, { timezone: schedule.timezone });
    if ('error' in again) assert.fail(`${schedule.canonical}: ${again.error}`);
    assert.equal(again.canonical, schedule.canonical);
    assert.equal(
      nextTicks(again, Date.parse(from), next.length).map(isoSeconds).join(),
      next.join(),
    );
  }
});

function readLines<T>(name: string): T[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace('.000', '');
}
