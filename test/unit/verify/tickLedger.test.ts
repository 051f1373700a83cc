import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FindingLog } from '../../../src/domain/verify/rules/finding.ts';
import { JobCheck } from '../../../src/domain/verify/rules/jobCheck.ts';
import type { RevisionRecord } from '../../../src/domain/verify/rules/records.ts';
import type { RuleCode } from '../../../src/domain/verify/rules/verifyRules.ts';
import { NamedTicks } from '../../../src/domain/verify/ticks/namedTicks.ts';
import { type TickAccount, TickLedger } from '../../../src/domain/verify/ticks/tickLedger.ts';

const second = 1_000;

/** A job whose revisions run each second, every three seconds, not at all (paused), and so on. */
function revisionsOf(lengths: readonly number[]): RevisionRecord[] {
  const schedules = ['* * * * * *', '*/3 * * * * *', null, '@every 7s'];
  let fromMs = 100_500;
  return lengths.map((length, place): RevisionRecord => {
    const schedule = schedules[place % schedules.length] ?? null;
    const untilMs = place === lengths.length - 1 ? null : fromMs + length;
    const record = {
      jobId: 1,
      revision: place + 1,
      isPaused: schedule === null,
      definition: { name: 'x', schedule: schedule ?? '* * * * * *', timezone: 'UTC' },
      isLeftToFinish: false,
      fromMs,
      untilMs,
    };
    fromMs = untilMs ?? fromMs;
    return record;
  });
}

/** Every tick up to the end, walked one by one. */
function walk(named: NamedTicks, endMs: number): number[] {
  const ticks: number[] = [];
  for (let at = named.next(0); at !== null && at < endMs; at = named.next(at)) ticks.push(at);
  return ticks;
}

const job = {
  jobId: 1,
  name: 'x',
  revision: 1,
  isPaused: false,
  isRemoved: false,
  historyFromMs: null,
};

function run(named: NamedTicks, accounts: readonly TickAccount[], endMs: number, sinceMs = 0) {
  const log = new FindingLog(Infinity, Infinity);
  const scope = { nowMs: endMs, sinceMs, clockSlackMs: 0, reaperSinceMs: null };
  const ledger = new TickLedger(new JobCheck(job, scope, log), named, sinceMs);
  for (const account of accounts) ledger.take(account);
  ledger.finish(endMs, endMs);
  const ofCode = (code: RuleCode) => log.findings.filter((finding) => finding.code === code);
  const ticksOf = (code: RuleCode) => ofCode(code).reduce((sum, { ticks }) => sum + ticks, 0);
  const found = {
    missing: ticksOf('tick_missing'),
    twice: ticksOf('tick_twice'),
    unnamed: ofCode('tick_unnamed').length,
    miscounted: ofCode('range_miscounted').length,
  };
  return { found, ledger };
}

const lengths = fc.array(fc.integer({ min: 500, max: 20_000 }), { minLength: 1, maxLength: 6 });
/** Places in the list of ticks where one account ends and the next begins. */
const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 20 });

/** All ticks dealt over accounts of one tick or of several. */
function deal(ticks: readonly number[], cutsOf: readonly number[]): TickAccount[] {
  const accounts: TickAccount[] = [];
  const ends = [...new Set([...cutsOf, ticks.length])].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    const part = ticks.slice(from, end);
    from = Math.max(from, end);
    const [fromMs, untilMs] = [part[0], part.at(-1)];
    if (fromMs === undefined || untilMs === undefined) continue;
    accounts.push({ fromMs, untilMs, ticks: part.length, label: `part ${from}` });
  }
  return accounts;
}

const none = { missing: 0, twice: 0, unnamed: 0, miscounted: 0 };

test('accounts that cover every tick once are sound in whatever order they come', () => {
  fc.assert(
    fc.property(lengths, cuts, fc.infiniteStream(fc.nat()), (spans, cutsOf, random) => {
      const named = new NamedTicks(revisionsOf(spans));
      const endMs = named.next(160 * second) ?? 160 * second;
      const ticks = walk(named, endMs);
      const keys = new Map(deal(ticks, cutsOf).map((part) => [part, random.next().value]));
      const shuffled = [...keys.keys()].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
      const { found, ledger } = run(named, shuffled, endMs);
      assert.deepEqual(found, none);
      assert.equal(ledger.ticks, ticks.length);
    }),
  );
});

test('what is left out is missing and what comes again is twice, counted to the tick', () => {
  const chosen = fc.array(fc.constantFrom('keep', 'drop', 'double'), { minLength: 21 });
  fc.assert(
    fc.property(lengths, cuts, chosen, (spans, cutsOf, fates) => {
      const named = new NamedTicks(revisionsOf(spans));
      const endMs = named.next(160 * second) ?? 160 * second;
      const ticks = walk(named, endMs);
      const wanted = { ...none };
      const accounts = deal(ticks, cutsOf).flatMap((part, place) => {
        const fate = fates[place] ?? 'keep';
        if (fate === 'drop') wanted.missing += part.ticks;
        if (fate === 'double') wanted.twice += part.ticks;
        return fate === 'drop' ? [] : fate === 'double' ? [part, part] : [part];
      });
      assert.deepEqual(run(named, accounts, endMs).found, wanted);
    }),
  );
});

test('ticks before the bound are owed by nobody, and a range across it is cut there', () => {
  const named = new NamedTicks(revisionsOf([1]));
  const ticks = walk(named, 160 * second);
  const sinceMs = 130 * second;
  const half = deal(ticks, [20, 40]).slice(1);
  const { found, ledger } = run(named, half, 160 * second, sinceMs);
  assert.deepEqual(found, none);
  assert.equal(ledger.ticks, 30);
});

test('a wrong count, an instant beside the ticks and a tick after the cursor are found', () => {
  const named = new NamedTicks(revisionsOf([1]));
  const ticks = walk(named, 160 * second);
  const [whole] = deal(ticks, []) as [TickAccount];
  const miscounted = run(named, [{ ...whole, ticks: whole.ticks - 1 }], 160 * second);
  assert.deepEqual(miscounted.found, { ...none, miscounted: 1 });
  const beside = { fromMs: 120_250, untilMs: 120_250, ticks: 1, label: 'beside' };
  assert.deepEqual(run(named, [whole, beside], 160 * second).found, { ...none, unnamed: 1 });
  assert.equal(run(named, [whole], 150 * second).ledger.lastMs, 159 * second);
});

test('a range of forty years of seconds costs no more than two thousand small ones', () => {
  const named = new NamedTicks(revisionsOf([1]));
  const years = 40 * 365 * 86_400 * second;
  const timed = (accounts: readonly TickAccount[], endMs: number): number => {
    const began = performance.now();
    assert.deepEqual(run(named, accounts, endMs).found, none);
    return performance.now() - began;
  };
  const small = deal(walk(named, 2_101 * second), [...Array(2_000).keys()]);
  timed(small, 2_101 * second);
  const smallMs = timed(small, 2_101 * second);
  const first = named.next(0) as number;
  const last = named.last(first + years) as number;
  const ticks = (last - first) / second + 1;
  const long = [{ fromMs: first, untilMs: last, ticks, label: 'long' }];
  // The fastest of five, since the machine is shared.
  const longMs = Math.min(...Array.from({ length: 5 }, () => timed(long, last + 1)));
  assert.ok(longMs < Math.max(smallMs, 20), `${longMs} ms for one, ${smallMs} ms for many`);
});

test('of more gaps than are kept the oldest are given up, and none is reported twice', () => {
  const named = new NamedTicks(revisionsOf([1]));
  const ticks = walk(named, 30_101 * second);
  const odd = ticks.filter((_, place) => place % 2 === 1);
  const even = ticks.filter((_, place) => place % 2 === 0);
  const one = (atMs: number) => ({ fromMs: atMs, untilMs: atMs, ticks: 1, label: 'one' });
  const { found } = run(named, [...odd, ...even].map(one), 30_101 * second);
  assert.ok(found.missing > 0 && found.missing < even.length, `${found.missing} missing`);
  assert.deepEqual({ ...found, missing: 0 }, none);
});
