import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askCli, askJsonCli } from '../askCli.ts';

test('machines are listed, and each prints its configuration', async () => {
  const machines = await askJsonCli<{ id: string; states: string[] }[]>(['machines', 'list']);
  const ids = machines.map(({ id }) => id);
  assert.deepEqual(ids, [
    'committer',
    'compensator',
    'heartbeat',
    'node',
    'notifier',
    'poller',
    'reaper',
    'scheduler',
    'slot',
  ]);
  const slot = await askJsonCli<{ id: string; states: object }>(['machines', 'show', 'slot']);
  assert.equal(slot.id, 'slot');
  assert.deepEqual(Object.keys(slot.states), ['prepare', 'executing', 'reset', 'idle']);
  const drawn = await askCli(['machines', 'show', 'slot', '--format', 'svg']);
  assert.match(drawn.stdout, /^(<\?xml[^>]*>\s*)?<svg /);
  const actors = await askCli(['machines', 'show', 'actors']);
  assert.match(actors.stdout, /^ {2}actors_slot --> actors_committer/m);
  const unknown = await askCli(['machines', 'show', 'nobody']);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /hint: .*committer, compensator/);
});
