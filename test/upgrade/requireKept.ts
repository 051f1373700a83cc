import assert from 'node:assert/strict';
import type { StoreWorld } from '../support/storeWorld.ts';

/** Fields, values and formats that a later version may write into a definition. */
const foreign = { fromTheFuture: { deep: [1, 2] }, onFence: 'finish', format: 7 };

/** Changes a job by a version's command line and fails when that loses what it does not know. */
export async function requireKept(
  world: StoreWorld,
  ask: (args: readonly string[]) => Promise<Record<string, unknown> | null>,
): Promise<void> {
  await world.addJob('edited');
  const inForce = async () => {
    const [row] = await world.rows('SELECT definition FROM job_revision ORDER BY revision DESC');
    return JSON.parse(row?.definition as string) as Record<string, unknown>;
  };
  const definition = JSON.stringify({ ...(await inForce()), ...foreign });
  await world.rows('UPDATE job_revision SET definition = ?', [definition]);
  for (const change of [['edit', '--command', 'echo new'], ['pause'], ['resume']]) {
    const [word = '', ...flags] = change;
    const answer = await ask(['job', word, 'edited', ...flags]);
    assert.equal(answer?.changed, true, `job ${word}`);
    const { command, fromTheFuture, onFence, format } = await inForce();
    assert.equal(command, 'echo new');
    assert.deepEqual({ fromTheFuture, onFence, format }, foreign, `after job ${word}`);
  }
}
