import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeSoak } from './judgeSoak.ts';
import type { Sample } from './sample.ts';

const soaking = {
  ...{ sampleMs: 60_000, runsPerSecond: 1 },
  bounds: { heapMbPerHour: 1, slower: 1.5, floorMs: 25, runsShare: 0.98, faults: 0 },
};

/** Two nodes for forty minutes; the heap of the second grows by half a MB an hour. */
function sampleOf(minute: number): Sample {
  const warmUp = 20 * Math.min(1, minute / 10);
  const weight = { rss: 150, heap: 40 + warmUp, external: 10 };
  return {
    atMs: minute * 60_000,
    weights: [weight, { ...weight, heap: weight.heap + minute / 120 }],
    clients: { latenciesMs: [5, 5, 30], faults: {}, endedStreams: 0, readMb: 1 },
    latenessMs: Array.from({ length: 60 }, (_, run) => run),
    kept: 36_000,
  };
}

const complaintsWith = (change: (minute: number, sample: Sample) => Partial<Sample>) => {
  const samples = Array.from({ length: 40 }, (_, minute) => sampleOf(minute));
  const changed = samples.map((sample, minute) => ({ ...sample, ...change(minute, sample) }));
  return judgeSoak(changed, soaking).complaints;
};
const withClients = (change: Partial<Sample['clients']>) => (_: number, sample: Sample) => {
  return { clients: { ...sample.clients, ...change } };
};

test('a soak that stays as it is has no complaint, whatever it took to warm up', () => {
  assert.deepEqual(
    complaintsWith(() => ({})),
    [],
  );
});

const broken = [
  [
    'the heap of node 1 grows by 1.2 MB an hour',
    (minute: number, { weights: [one, other] }: Sample) => ({
      weights: [one, other].flatMap((weight, node) =>
        weight === undefined ? [] : { ...weight, heap: 60 + (node === 0 ? minute / 50 : 0) },
      ),
    }),
  ],
  [
    'lists got slower: p99',
    (minute: number, sample: Sample) => ({
      clients: { ...sample.clients, latenciesMs: [5, 5, minute < 30 ? 30 : 46] },
    }),
  ],
  [
    'runs start later than before: p50,p99',
    (minute: number, { latenessMs }: Sample) => ({
      latenessMs: latenessMs.map((ms) => (minute < 30 ? ms : 2 * ms)),
    }),
  ],
  ['a run was early', (_: number, { latenessMs }: Sample) => ({ latenessMs: [...latenessMs, -1] })],
  [
    '2320 runs for 2400 ticks',
    (_: number, { latenessMs }: Sample) => ({ latenessMs: latenessMs.slice(2) }),
  ],
  [
    'lists failed: [["503",1]]',
    (minute: number, sample: Sample) => ({
      clients: { ...sample.clients, faults: minute === 7 ? { 503: 1 } : {} },
    }),
  ],
  ['2 event streams ended', withClients({ endedStreams: 2 })],
  ['no event was read', withClients({ readMb: 0 })],
] as const;

for (const [complaint, change] of broken) {
  test(`a soak is complained of when ${complaint}`, () => {
    assert.deepEqual(complaintsWith(change), [complaint]);
  });
}
