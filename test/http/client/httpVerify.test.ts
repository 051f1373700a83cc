import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpVerify } from '../../../src/http/client/httpVerify.ts';
import { NodeClient } from '../../../src/http/client/nodeClient.ts';
import { verificationView } from '../../../src/http/views/verificationView.ts';
import type { Verification } from '../../../src/store/verify/verifyDatabase.ts';
import type { VerifyProgress } from '../../../src/store/verify/verifyJobs.ts';
import { type Answer, hangUp, serveScripted } from './scriptedServer.ts';

const verification: Verification = {
  ...{ jobs: 2, removed: 0, runs: 30, ticks: 28, atMs: 1_900_000_000_123, sinceMs: null },
  ...{ broken: 1, warnings: 0, leftOut: 0, counts: new Map([['tick_missing', 1]]) },
  findings: [
    {
      ...{ code: 'tick_missing', promise: 'P19', severity: 'broken', job: 'ü', launchId: null },
      ...{ tickMs: 1_899_999_000_000, tickUntilMs: 1_899_999_000_000, ticks: 1 },
      ...{ message: 'a', meaning: 'b', look: 'c' },
    },
  ],
};

/** Lines of JSON, sent in such pieces as a network may make of them. */
function lines(pieces: readonly string[]): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const next = (index: number): void => {
      if (index === pieces.length) response.end();
      else response.write(pieces[index], () => setImmediate(next, index + 1));
    };
    next(0);
  };
}

const progress = (jobs: number) => `{"progress":{"jobs":${jobs},"runs":${jobs * 10}}}\n`;
const end = `${JSON.stringify({ verification: verificationView(verification) })}\n`;

test('a verification by a node tells how far it is, and comes to the same', async (t) => {
  const cut = `${progress(1)}${progress(2).slice(0, 9)}`;
  const { port } = await serveScripted(t, [hangUp, lines([cut, progress(2).slice(9), end])]);
  const client = new NodeClient({
    ...{ url: new URL(`http://127.0.0.1:${port}/`), token: null, authority: null },
  });
  t.after(() => client.close());
  const far: VerifyProgress[] = [];
  const verified = await httpVerify(client).verifyCluster({ progress: (next) => far.push(next) });
  assert.deepEqual(verified, verificationView(verification));
  assert.deepEqual(far, [
    { jobs: 1, runs: 10 },
    { jobs: 2, runs: 20 },
  ]);
});

test('a fault in the middle of a verification is the error that it is', async (t) => {
  const problem = { status: 503, code: 'database_away', detail: 'Gone.', hint: 'x', exitCode: 69 };
  const { port } = await serveScripted(t, [
    lines([progress(1), `${JSON.stringify({ problem })}\n`]),
  ]);
  const client = new NodeClient({
    ...{ url: new URL(`http://127.0.0.1:${port}/`), token: null, authority: null },
  });
  t.after(() => client.close());
  await assert.rejects(httpVerify(client).verifyCluster({}), {
    ...{ code: 'database_away', message: 'Gone.', exitCode: 69 },
  });
});
