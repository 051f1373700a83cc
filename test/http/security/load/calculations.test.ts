import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { fileScope } from '../../../support/testEngine.ts';
import { askRaw, type HeardAnswer } from '../../world/askRaw.ts';
import { makeWholeApi } from '../../world/wholeApi.ts';

const world = await makeWholeApi(fileScope);
const viewer = (await world.token('viewer')).secret;

/**
 * Asks until the longest time for which nothing else went on in this process was no more than that
 * share of the request: what is worked out on the event loop itself stands still at every try, a
 * machine at one or the other. Fails when that was at none.
 */
async function askedBeside(shareMax: number, ask: () => Promise<HeardAnswer>) {
  const told: string[] = [];
  for (let tries = 0; tries < 5; tries += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const began = performance.now();
    const answer = await ask();
    const tookMs = performance.now() - began;
    delay.disable();
    const stoodMs = delay.max / 1e6;
    // Of the same moments: a slow machine is as slow with the one as with the other.
    if (stoodMs < tookMs * shareMax) return answer;
    told.push(`stood still for ${stoodMs} of ${tookMs} ms`);
  }
  return assert.fail(told.join('; '));
}

const bodies = {
  'of lists in lists': '- - -\n'.repeat(40_000),
  'of many maps': `[${'{},'.repeat(80_000)}]`,
};

for (const [kind, body] of Object.entries(bodies)) {
  test(`a plan ${kind} is worked out while the node does everything else`, async () => {
    const headers = { 'content-type': 'application/yaml' };
    const request = { method: 'POST', path: '/api/v1/plan', token: viewer, headers, body };
    const { status, text } = await askedBeside(1 / 3, () => askRaw(world.origin, request));
    assert.ok([200, 422].includes(status), text.slice(0, 200));
  });
}

test('a range of ticks is worked out beside the event loop before its job is locked', async () => {
  const operator = (await world.token('operator')).secret;
  const headers = { 'content-type': 'application/json' };
  const post = (path: string, body: object) => {
    const text = JSON.stringify(body);
    return askRaw(world.origin, { method: 'POST', path, token: operator, headers, body: text });
  };
  // Each minute of two days a year, of which all but each 60th is left out.
  const exclude = Array.from({ length: 59 }, (_, at) => `${at + 1} * * * *`);
  const schedule = { cron: '* * 28,29 2 *', exclude, timezone: 'Europe/Berlin' };
  const job = { name: 'leap', ...schedule, command: 'true' };
  assert.equal((await post('/api/v1/jobs', job)).status, 201);
  const range = { from: '1970-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z', max: 3_000 };
  const dryRun = () => post('/api/v1/jobs/leap/backfill', { ...range, dryRun: true });
  const dry = await askedBeside(1 / 2, dryRun);
  assert.equal(dry.status, 202, dry.text.slice(0, 200));
  assert.equal(dry.json.ticks.length, (56 + 14) * 24);
  const tooMany = await post('/api/v1/jobs/leap/backfill', { ...range, max: 10 });
  assert.deepEqual([tooMany.status, tooMany.json.code], [422, 'too_many_ticks']);
  const asked = await post('/api/v1/jobs/leap/backfill', { ...range, to: '1970-02-28T00:00:00Z' });
  assert.equal(asked.json.added.length, 2, asked.text);
});
