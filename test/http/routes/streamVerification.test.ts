import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../../src/domain/errors/errors.ts';
import type { ApiVariables } from '../../../src/http/authentication/api.ts';
import { streamVerification } from '../../../src/http/routes/handling/streamVerification.ts';
import { apiOperator } from '../../../src/http/views/apiOperator.ts';
import type { Verification, VerifyRequest } from '../../../src/store/verify/verifyDatabase.ts';
import { until } from '../../support/until.ts';

const verification: Verification = {
  ...{ jobs: 9, removed: 0, runs: 90, ticks: 80, atMs: 1_900_000_000_000, sinceMs: null },
  ...{ broken: 0, warnings: 0, leftOut: 0, counts: new Map(), findings: [] },
};

/** What asks an operator whose verifications go as told. */
function operateOn(
  verify: (asked: VerifyRequest) => Promise<Verification>,
): ApiVariables['operate'] {
  return (work) => work(apiOperator({ verifyCluster: verify } as never));
}

/** Tells every so often how far it is, until it is let go on. */
function slowly(state: { isOver: boolean; error: Error | null }) {
  return async ({ progress }: VerifyRequest): Promise<Verification> => {
    try {
      for (let jobs = 1; !state.isOver; jobs += 1) {
        progress?.({ jobs, runs: jobs * 10 });
        await sleep(10);
      }
      return verification;
    } catch (error) {
      state.error = error as Error;
      throw error;
    }
  };
}

test('a verification tells how far it is, then what it found; one at a time', async () => {
  const state = { isOver: false, error: null };
  const stream = await streamVerification({}, operateOn(slowly(state)));
  const again = streamVerification({}, operateOn(slowly(state)));
  await assert.rejects(again, { code: 'busy', exitCode: 75 });
  const reader = stream.getReader();
  const first = JSON.parse(Buffer.from((await reader.read()).value ?? []).toString());
  assert.ok(first.progress.jobs > 0 && first.progress.runs === first.progress.jobs * 10);
  state.isOver = true;
  let last = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    last = Buffer.from(value).toString();
  }
  assert.match(last, /^\{"verification":\{"at":"2030-03-17T17:46:40\.000Z","since":null,.*\}\}\n$/);
});

test('a verification that nobody reads any more ends, and another one can begin', async () => {
  const state: { isOver: boolean; error: Error | null } = { isOver: false, error: null };
  const stream = await streamVerification({}, operateOn(slowly(state)));
  await stream.cancel();
  await until('it has ended', () => state.error);
  assert.match(state.error?.message ?? '', /nobody waits/);
  const other = await streamVerification(
    {},
    operateOn(async () => verification),
  );
  assert.match(await new Response(other).text(), /^\{"verification":/);
});

test('what is refused at once is a refusal, and a later fault the last line', async () => {
  const fault = new OperatorError({ code: 'job_missing', message: 'No job.', hint: 'x' });
  const refused = streamVerification(
    {},
    operateOn(async () => Promise.reject(fault)),
  );
  await assert.rejects(refused, fault);
  let fail = (): void => undefined;
  const late = () => new Promise<never>((_, reject) => (fail = () => reject(fault)));
  const stream = await streamVerification({}, operateOn(late));
  fail();
  const text = await new Response(stream).text();
  const lines = text.trimEnd().split('\n');
  assert.deepEqual(JSON.parse(lines.at(-1) ?? '').problem.code, 'job_missing');
});
