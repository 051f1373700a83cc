import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { makeSessionId } from '../../../src/domain/run/launchId.ts';
import { markName } from '../../../src/exec/process/launchTag.ts';
import { readProcess } from '../../../src/exec/process/processTree.ts';
import type { Stray } from '../../../src/exec/spawn/spawner.ts';
import type { RunTree } from '../../../src/exec/terminate/attributeStrays.ts';
import { ProcessTreeTerminator } from '../../../src/exec/terminate/processTreeTerminator.ts';
import { until } from '../../support/until.ts';

test('an answer that is older than the end of a run does not tell that run gone', async (t) => {
  const answers: ((strays: Stray[]) => void)[] = [];
  const spawner = {
    strays: () => new Promise<Stray[]>((resolve) => answers.push(resolve)),
    killStrays: () => undefined,
  };
  const terminator = new ProcessTreeTerminator(spawner, (error) => assert.fail(String(error)));
  const session = makeSessionId();
  const left = spawn('sleep', ['60'], { detached: true, env: { [markName]: `${session}:2` } });
  const ended = once(left, 'exit');
  t.after(() => void left.kill('SIGKILL'));
  await once(left, 'spawn');
  const entry = readProcess(left.pid as number);
  assert.ok(entry);
  const now = { termAtMs: 0, killAtMs: 0, giveUpAtMs: Number.POSITIVE_INFINITY };
  // Leaders that are gone, as bash is when the terminator is asked: no process has such a number.
  const pid = 2 ** 30;
  const treeOf = (launchId: string): RunTree => {
    const tree = { launchId, pid, startTicks: 0, user: null };
    terminator.track(tree);
    return tree;
  };
  const first = terminator.waitUntilGone(treeOf(`${session}:1`), now);
  await until('the strays are asked for', () => answers.length === 1);
  const second = terminator.waitUntilGone(treeOf(`${session}:2`), now);
  answers[0]?.([]);
  assert.deepEqual(await first, { seen: 0, signal: null, gone: true });
  await until('the strays are asked for again', () => answers.length === 2);
  answers[1]?.([{ pid: entry.pid, launch: 2 }]);
  await ended;
  await until('they are asked for until none is left', () => answers.length === 3);
  answers[2]?.([]);
  assert.deepEqual(await second, { seen: 1, signal: 'SIGKILL', gone: true });
});
