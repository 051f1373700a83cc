import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createActor } from 'xstate';
import { provideHeartbeat } from '../../src/actors/heartbeatActor.ts';
import { Lease } from '../../src/actors/runtime/lease.ts';
import type { Runtime } from '../../src/actors/runtime/runtime.ts';
import { committed } from '../../src/domain/errors/outcome.ts';
import { DatabaseClock } from '../../src/domain/time/databaseClock.ts';
import { Outages } from '../../src/domain/time/outages.ts';
import { boundsOfTtl } from '../../src/store/openNodeStore.ts';
import { docPage } from '../support/docPages.ts';
import { until } from '../support/until.ts';

const ttlMs = 10_000;
const fenceMs = 8_000;

/** A heartbeat over a store whose renewals take as long as is set, on a clock of its own. */
function startHeartbeat(t: { after(cleanUp: () => void): void }, renewalTakesMs: () => number) {
  const published: number[] = [];
  const boot = { nowMs: 100_000 };
  const lease = new Lease({
    ttlMs,
    bootNowMs: () => boot.nowMs,
    publish: (deadlineMs) => void published.push(deadlineMs),
  });
  lease.extend(boot.nowMs);
  let sent = 0;
  const store = {
    renewSession: async () => {
      sent += 1;
      boot.nowMs += renewalTakesMs();
      return committed(null);
    },
  };
  const reports = { trouble: () => undefined };
  const [clock, outages] = [new DatabaseClock(() => boot.nowMs), new Outages()];
  clock.observe(0, boot.nowMs);
  const runtime = { clock, lease, outages, reports, store, settings: { ttlMs } };
  const actor = createActor(provideHeartbeat(runtime as unknown as Runtime));
  actor.start();
  t.after(() => actor.stop());
  return { actor, boot, outages, published, sent: () => sent };
}

test('the lease counts from when a renewal was sent, not from its reply', async (t) => {
  const { outages, published } = startHeartbeat(t, () => 3_000);
  await until('the renewal', () => published.length > 1);
  assert.deepEqual(published.slice(0, 2), [100_000 + fenceMs, 100_000 + fenceMs]);
  assert.deepEqual(outages.spans[0], { fromMs: 0, untilMs: 3_000 }, 'there was no answer');
});

test('a renewal that is answered at once is no outage', async (t) => {
  const { outages, published } = startHeartbeat(t, () => 900);
  await until('the renewal', () => published.length > 1);
  assert.deepEqual(outages.spans, []);
});

test('an acknowledgement that comes after the lease is over does not revive it', async (t) => {
  const { actor, published, sent } = startHeartbeat(t, () => fenceMs + 1);
  await until('the end', () => actor.getSnapshot().value === 'fenced' || sent() > 1);
  assert.deepEqual(published, [100_000 + fenceMs]);
  assert.equal(actor.getSnapshot().value, 'fenced');
});

test('the docs say how long a silence of the database runs survive at which TTL', () => {
  const page = docPage('when-things-break');
  const silences = /at (\d+) s (?:they survive )?([\d.]+) to ([\d.]+) s/g;
  const published = [...page.replace(/\s+/g, ' ').matchAll(silences)].map(([, ...numbers]) =>
    numbers.map(Number),
  );
  const survives = [45, 15, 5].map((seconds) => {
    const settings = { ttlMs: seconds * 1_000 };
    const lease = new Lease({
      ...settings,
      bootNowMs: () => 100_000,
      publish: () => undefined,
    });
    lease.extend(100_000);
    const runtime = { lease, settings } as unknown as Runtime;
    const { beatPeriod } = provideHeartbeat(runtime).implementations.delays;
    // The silence may begin just before the next renewal, or just after the last one.
    const leastMs = lease.leftMs() - Number(beatPeriod);
    return [seconds, Math.floor(leastMs / 100) / 10, lease.leftMs() / 1_000];
  });
  assert.deepEqual(published, survives);
});

test('a renewal is unanswered from when it is sent until the lease is extended by it', () => {
  const boot = { nowMs: 100_000 };
  const lease = new Lease({
    ttlMs,
    bootNowMs: () => boot.nowMs,
    publish: () => undefined,
  });
  for (let beat = 0; beat < 3; beat += 1) {
    const sentBootMs = lease.noteRenewalSent();
    assert.equal(lease.isUnanswered(), true);
    boot.nowMs += 300;
    lease.extend(sentBootMs);
    boot.nowMs += 700;
    lease.readBootClockMs();
    assert.equal(lease.isUnanswered(), false, 'a look at the clock is no renewal');
  }
  assert.equal(lease.isUnanswered(), false, 'while none is under way');
  const [lost, second] = [lease.noteRenewalSent(), lease.noteRenewalSent()];
  assert.equal(lost, second);
  assert.equal(lease.isUnanswered(), true);
});

test('no wait on the database is as long as the time between fence and TTL', () => {
  for (const ttl of [2_000, 5_000, 10_000, 45_000, 600_000, 3_600_000]) {
    const published: number[] = [];
    const lease = new Lease({
      ttlMs: ttl,
      bootNowMs: () => 0,
      publish: (deadlineMs) => void published.push(deadlineMs),
    });
    lease.extend(0);
    const [deadlineMs = Number.NaN] = published;
    assert.ok(deadlineMs > 0 && deadlineMs < ttl, `a fence of ${deadlineMs} ms of ${ttl} ms`);
    const { timeoutMs, lockWaitSeconds } = boundsOfTtl(ttl);
    assert.ok(timeoutMs < ttl - deadlineMs, `a time-out of ${timeoutMs} ms of ${ttl} ms`);
    assert.ok(lockWaitSeconds * 1_000 < Math.max(ttl - deadlineMs, 1_001));
  }
});
