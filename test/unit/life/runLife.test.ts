import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyStateNode } from 'xstate';
import type { LifeFacts } from '../../../src/domain/life/lifeMarks.ts';
import { runLife } from '../../../src/domain/life/runLife.ts';
import { splayOf } from '../../../src/domain/policies/startAt.ts';
import { slotMachine } from '../../../statecharts/slot.ts';

/** A run that succeeded; its instants are in seconds, and it was read at 100. */
const succeeded: LifeFacts = {
  ...{ nowMs: 100, trigger: 'schedule', requestId: null, attempt: 1, launchId: 's1:1' },
  ...{ result: 'succeeded', scheduledForMs: 10, scheduledUntilMs: null, ticks: 1 },
  ...{ startedMs: 12, endedMs: 20, isLate: false, definition: { name: 'backup' } },
  ...{ askedMs: null, startAtMs: null, stopAskedMs: null, outputMs: null },
  ...{ seenMs: 99, lostMs: null, messages: null, prior: null },
};

const ended = { startedMs: null, endedMs: null, result: null } as const;

/** Phases as `name begin-end`, marks as `kind at`; `?` is not known, or goes on. */
function shortLife(facts: Partial<LifeFacts>) {
  const { marks, phases } = runLife({ ...succeeded, ...facts });
  return {
    phases: phases
      .map(({ beginMs, endMs, name }) => `${name} ${beginMs ?? '?'}-${endMs ?? '?'}`)
      .join(', '),
    marks: marks.map(({ atMs, kind }) => `${kind} ${atMs}`).join(', '),
  };
}

const rows: Record<string, [Partial<LifeFacts>, string, string]> = {
  succeeded: [
    { outputMs: 21 },
    'starting 10-12, running 12-20, finishing 20-?',
    'tick 10, outputWritten 21',
  ],
  failed: [{ result: 'failed' }, 'starting 10-12, running 12-20, finishing 20-?', 'tick 10'],
  'ended within its timeout': [
    { definition: { name: 'backup', timeoutMs: 700 } },
    'starting 10-12, running 12-20, finishing 20-?',
    'tick 10',
  ],
  'timed out': [
    { result: 'timed_out', definition: { name: 'backup', timeoutMs: 7 } },
    'starting 10-12, running 12-20, finishing 20-?',
    'tick 10, timeout 19',
  ],
  stopped: [
    { result: 'stopped', stopAskedMs: 18 },
    'starting 10-12, running 12-20, finishing 20-?',
    'tick 10, stopRequested 18',
  ],
  'stopped before its start': [
    { ...ended, result: 'stopped', endedMs: 11, stopAskedMs: 11 },
    'starting 10-11',
    'tick 10, stopRequested 11',
  ],
  lost: [
    { result: 'lost', seenMs: 15, lostMs: 19 },
    'starting 10-12, running 12-15, unknown 15-20',
    'tick 10, nodeSeen 15, nodeLost 19',
  ],
  'lost before the node was seen again': [
    { result: 'lost', seenMs: 11, lostMs: 19 },
    'starting 10-12, running 12-12, unknown 12-20',
    'tick 10, nodeSeen 11, nodeLost 19',
  ],
  'recorded late': [
    { isLate: true, seenMs: 15, lostMs: 30 },
    'starting 10-12, running 12-20, finishing 20-?',
    'tick 10, nodeLost 30',
  ],
  'not started': [{ result: 'not_started' }, 'starting 10-12, starting 12-20', 'tick 10'],
  skipped: [
    { ...ended, launchId: null, result: 'skipped', endedMs: 15 },
    'unclaimed 10-15',
    'tick 10',
  ],
  'missed ticks': [
    { ...ended, launchId: null, result: 'missed', endedMs: 90, scheduledUntilMs: 40, ticks: 4 },
    'unclaimed 10-90',
    'tick 10, lastTick 40',
  ],
  'retried by its policy': [
    { trigger: 'retry', attempt: 2, prior: { endedMs: 11, result: 'failed', retryAskedMs: null } },
    'starting 11-12, running 12-20, finishing 20-?',
    'tick 10, priorEnded 11',
  ],
  'retried by an operator': [
    {
      trigger: 'retry',
      attempt: 2,
      startedMs: 15,
      prior: { endedMs: 11, result: 'lost', retryAskedMs: 14 },
    },
    'starting 14-15, running 15-20, finishing 20-?',
    'tick 10, priorEnded 11, retryRequested 14',
  ],
  'a retry of what is not kept': [
    { trigger: 'retry', attempt: 2 },
    'starting ?-12, running 12-20, finishing 20-?',
    'tick 10',
  ],
  'a backfill': [
    { trigger: 'backfill', requestId: 'r1', askedMs: 11 },
    'starting 11-12, running 12-20, finishing 20-?',
    'tick 10, requested 11',
  ],
  'running now': [
    { result: null, endedMs: null, definition: { name: 'backup', timeoutMs: 200 } },
    'starting 10-12, running 12-?',
    'tick 10, timeout 212',
  ],
  'requested and unclaimed': [
    { ...ended, launchId: null, trigger: 'manual', requestId: 'r1', startAtMs: 10 },
    'unclaimed 10-?',
    'requested 10',
  ],
  'claimed before its tick': [
    { ...ended, scheduledForMs: 110, startAtMs: 110 },
    'waiting ?-?',
    'tick 110',
  ],
  'claimed, its delay is not over': [
    { ...ended, startAtMs: 130 },
    'waiting 10-?',
    'tick 10, mayStart 130',
  ],
  'claimed, its delay is over': [
    { ...ended, startAtMs: 30 },
    'waiting 10-30, starting 30-?',
    'tick 10, mayStart 30',
  ],
};

for (const [title, [facts, phases, marks]] of Object.entries(rows)) {
  test(`the life of a run: ${title}`, () => {
    assert.deepEqual(shortLife(facts), { phases, marks });
  });
}

test('a run that was moved by its splay waited for so long', () => {
  const definition = { name: 'backup', splayMs: 60_000 };
  const splayMs = splayOf(definition, 10);
  assert.ok(splayMs > 0);
  const startedMs = 10 + splayMs + 3;
  const { phases } = shortLife({ definition, startedMs, endedMs: startedMs + 5 });
  assert.match(phases, new RegExp(`^waiting 10-${10 + splayMs}, starting ${10 + splayMs}-`));
});

test('phases follow each other without gaps, and none ends before it begins', () => {
  for (const [title, [facts]] of Object.entries(rows)) {
    const { phases } = runLife({ ...succeeded, ...facts });
    for (const [index, { beginMs, endMs }] of phases.entries()) {
      const next = phases[index + 1];
      if (next !== undefined) assert.equal(endMs, next.beginMs, title);
      if (beginMs !== null && endMs !== null) assert.ok(beginMs <= endMs, title);
    }
  }
});

test('the states of phases are states of the slot machine', () => {
  const known = new Set(idsOf(slotMachine.root).map((id) => id.replace(/^slot\./, '')));
  for (const [facts] of Object.values(rows)) {
    for (const { states } of runLife({ ...succeeded, ...facts }).phases) {
      for (const state of states) assert.ok(known.has(state), state);
    }
  }
});

function idsOf({ id, states }: AnyStateNode): string[] {
  return [id, ...Object.values(states).flatMap(idsOf)];
}
