import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from '../../../src/http/admission/fairQueue.ts';

const bounds = { atOnce: 2, atOnceOfOne: 1, waitingOfOne: 3, waitMsMax: 60_000, what: 'things' };

/** Work that is under way until it is told to end, and a list of what has begun. */
function makeWork(turns: FairQueue) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, key = name.slice(0, 1)): Promise<void> =>
    turns.run(key, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const passed = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string): Promise<void> => {
    await passed();
    ends.get(name)?.();
    await passed();
  };
  return { begun, begin, end };
}

test('one key leaves room for others, and what waits has its turn key by key', async () => {
  const { begin, begun, end } = makeWork(new FairQueue(bounds));
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => begin(name));
  await end('');
  assert.deepEqual(begun, ['a1', 'b1'], 'the second place is not for the same key');
  await end('a1');
  await end('b1');
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2']);
  await end('a2');
  assert.deepEqual(begun.slice(4), ['c1'], 'a3 has waited for longer, and a had its turn');
  for (const name of ['b2', 'c1', 'a3']) await end(name);
  await Promise.all(all);
});

test('of one key so many wait, and one more is refused at once; others may wait', async () => {
  const { begin, begun, end } = makeWork(new FairQueue(bounds));
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((name) => begin(name));
  await assert.rejects(begin('a5'), { code: 'too_many_requests', retryAfterMs: 2_000 });
  for (const name of ['a1', 'b1', 'c1', 'a2', 'a3', 'a4']) await end(name);
  await Promise.all(all);
  assert.equal(begun.length, 6);
});

test('who waits for too long is refused, and takes no turn afterwards', async () => {
  const turns = new FairQueue({ ...bounds, waitMsMax: 5 });
  const { begin, begun, end } = makeWork(turns);
  const first = begin('a1');
  await assert.rejects(begin('a2'), { code: 'busy' });
  await end('a1');
  await first;
  const last = begin('a3');
  await end('a3');
  await last;
  assert.deepEqual(begun, ['a1', 'a3']);
});

test('work that fails gives its place back, and who comes after the end is refused', async () => {
  const turns = new FairQueue({ ...bounds, atOnce: 1 });
  await assert.rejects(
    turns.run('a', async () => assert.fail('it fails')),
    /it fails/,
  );
  const { begin, begun, end } = makeWork(turns);
  const running = begin('a1');
  const refused = assert.rejects(begin('b1'), { code: 'busy' });
  turns.close();
  await refused;
  await assert.rejects(begin('c1'), { code: 'busy' });
  await end('a1');
  await running;
  assert.deepEqual(begun, ['a1']);
});

test('between turns of a greedy key there is a rest, and nobody else waits for it', async () => {
  const turns = new FairQueue({ ...bounds, atOnce: 1 });
  const ends: [string, number][] = [];
  const begin = (name: string): Promise<void> => {
    const end = async () => void ends.push([name, performance.now()]);
    return turns.run(name.slice(0, 1), end, () => 200);
  };
  await Promise.all([begin('a1'), begin('a2'), begin('b1')]);
  assert.deepEqual(
    ends.map(([name]) => name),
    ['a1', 'b1', 'a2'],
  );
  const [first = 0, , second = 0] = ends.map(([, atMs]) => atMs);
  assert.ok(second - first >= 199, `${second - first} ms`);
});
