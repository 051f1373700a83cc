import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, test } from 'node:test';
import { until } from '../../support/until.ts';
import { isAlive } from '../pool/testPool.ts';
import { endGuarded, type Guarded, startGuarded } from './startGuarded.ts';

afterEach(endGuarded);

/**
 * They would live for minutes; the lease of the frozen node is a second. `began`: before the last
 * lease was taken.
 */
async function requireDead({ children }: Guarded, began: number): Promise<void> {
  await until('the launcher has killed them', () => !children.some(isAlive));
  assert.ok(performance.now() - began > 500, 'not before the lease was over');
}

for (const plan of ['freeze', 'noise']) {
  test(`guardian and node are frozen (${plan}): no child outlives the lease`, async () => {
    const guarded = await startGuarded(3, { plan });
    guarded.guardian.kill('SIGSTOP');
    const began = performance.now();
    process.kill(guarded.nodePid, 'SIGUSR2');
    await requireDead(guarded, began);
    assert.ok(isAlive(guarded.nodePid), 'the frozen node is still there');
  });
}

test('the guardian is killed while the node is frozen: no child outlives the lease', async () => {
  const guarded = await startGuarded(3, { plan: 'freeze' });
  // Frozen as well until the node is, which would hear of its end else.
  guarded.guardian.kill('SIGSTOP');
  const began = performance.now();
  process.kill(guarded.nodePid, 'SIGUSR2');
  await until('the node is frozen', () => isStopped(guarded.nodePid));
  guarded.guardian.kill('SIGKILL');
  await requireDead(guarded, began);
  assert.ok(isAlive(guarded.nodePid), 'the frozen node is still there');
});

const isStopped = (pid: number) =>
  /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
