import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AwaitedRun, waitAndPrint } from '../../../src/cli/runs/waitForRun.ts';

test('a wait on a terminal overwrites its line, and erases it at the end', async (t) => {
  const run = {
    ...{ job: 'job', runId: null, launchId: 's1:1', node: 'a', attempt: 1, result: null },
    ...{ startedAt: '2030-01-01T00:00:00.000Z', endedAt: null, outputBytes: 0, exitCode: null },
    ...{ signal: null, reason: null },
  };
  const ended = { ...run, runId: 7, result: 'succeeded', exitCode: 0 };
  let end = (_run: typeof ended): void => undefined;
  const over = new Promise<typeof ended>((resolve) => {
    end = resolve;
  });
  let looks = 0;
  const awaited = {
    name: 'job',
    look: async () => {
      looks += 1;
      if (looks === 4) end(ended);
      return run;
    },
    wait: () => over,
  } as unknown as AwaitedRun;
  const written: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => written.push(text) > 0);
  const isTerminal = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
  t.after(() => {
    if (isTerminal === undefined) Reflect.deleteProperty(process.stderr, 'isTTY');
    else Object.defineProperty(process.stderr, 'isTTY', isTerminal);
  });
  const operator = { showJob: async () => ({}), readOutput: async () => null } as never;
  assert.equal(await waitAndPrint(operator, awaited, {}, ''), 0);
  const [erase, lines] = ['\r\x1b[K', written.filter((text) => text.includes('job: running'))];
  assert.ok(lines.length >= 2, written.join('\n'));
  assert.ok(written.filter((text) => text === erase).length <= 1, JSON.stringify(written));
  const [said, ...rest] = written.slice(-1);
  assert.match(said ?? '', /^job: succeeded, run 7 \(s1:1\); see: statecron run show 7\n$/);
  assert.deepEqual(rest, []);
});
