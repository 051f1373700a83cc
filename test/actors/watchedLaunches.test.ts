import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActorEvent } from '../../src/actors/runtime/actorEvents.ts';
import { senderOf, WatchedLaunches } from '../../src/actors/runtime/watchedLaunches.ts';
import type { Launch } from '../../src/domain/run/launch.ts';
import { actorsChart } from '../statecharts/actorsChart.ts';

function launchOf(jobId: number, number: number): Launch {
  return { jobId, launchId: `s${jobId}:${number}` } as Launch;
}

function messageOf(launch: Launch): ActorEvent {
  const { launchId } = launch;
  const names = { machine: 'slot', event: 'start.committed', from: null, to: launchId };
  return { what: 'message', ...names, launchId, launch };
}

/** Whoever tells events to what is kept, and how many listen. */
function makeTeller() {
  const listeners = new Set<(event: ActorEvent) => void>();
  return {
    listeners,
    watch: (see: (event: ActorEvent) => void) => {
      listeners.add(see);
      return () => void listeners.delete(see);
    },
    tell: (event: ActorEvent) => {
      for (const see of listeners) see(event);
    },
  };
}

const nowMs = () => 7;
const idsOf = (watched: WatchedLaunches) => watched.all().map(({ launchId }) => launchId);

test('of a job that is launched all the time two launches are kept, of all 24', () => {
  const [watched, teller] = [new WatchedLaunches(), makeTeller()];
  watched.keep(true, nowMs, teller.watch);
  teller.tell(messageOf(launchOf(1, 1)));
  for (let number = 1; number <= 10; number += 1) teller.tell(messageOf(launchOf(2, number)));
  assert.deepEqual(idsOf(watched), ['s1:1', 's2:9', 's2:10']);
  teller.tell(messageOf(launchOf(2, 3)));
  assert.deepEqual(idsOf(watched), ['s1:1', 's2:9', 's2:10'], 'one that was dropped stays away');
  for (let jobId = 3; jobId <= 30; jobId += 1) teller.tell(messageOf(launchOf(jobId, 1)));
  assert.equal(idsOf(watched).length, 24);
  assert.equal(idsOf(watched).at(-1), 's30:1');
  for (let times = 0; times < 100; times += 1) teller.tell(messageOf(launchOf(30, 1)));
  assert.equal(watched.all().at(-1)?.messages.length, 40);
});

test('a launch that is over is dropped before one that is under way', () => {
  const [watched, teller] = [new WatchedLaunches(), makeTeller()];
  watched.keep(true, nowMs, teller.watch);
  const tellEnd = (launch: Launch): void => {
    teller.tell(messageOf(launch));
    const { launchId: actor } = launch;
    const change = { actor, machine: 'slot', event: 'start.committed', state: 'idle', launch };
    teller.tell({ what: 'change', ...change });
  };
  teller.tell(messageOf(launchOf(1, 1)));
  for (let number = 2; number <= 9; number += 1) tellEnd(launchOf(1, number));
  assert.deepEqual(idsOf(watched), ['s1:1', 's1:9']);
  for (let jobId = 2; jobId <= 40; jobId += 1) tellEnd(launchOf(jobId, 1));
  assert.equal(idsOf(watched).length, 24);
  assert.equal(idsOf(watched)[0], 's1:1');
});

test('nothing is listened to while nobody looks, and what was kept stays', () => {
  const [watched, teller] = [new WatchedLaunches(), makeTeller()];
  watched.keep(false, nowMs, teller.watch);
  assert.equal(teller.listeners.size, 0);
  for (const isWanted of [true, true]) watched.keep(isWanted, nowMs, teller.watch);
  assert.equal(teller.listeners.size, 1);
  const launch = launchOf(1, 1);
  teller.tell(messageOf(launch));
  const state = 'executing.running';
  const change = { actor: 's1:1', machine: 'slot', event: 'start.committed', state, launch };
  teller.tell({ what: 'change', ...change });
  watched.keep(false, nowMs, teller.watch);
  assert.equal(teller.listeners.size, 0);
  const said = { atMs: 7, from: 'committer', to: 'slot', event: 'start.committed', state };
  assert.deepEqual(watched.all(), [{ launchId: 's1:1', messages: [said] }]);
});

test('who sends a message about a launch is its sender in the drawing of all actors', async () => {
  const { arrows } = await actorsChart();
  const sent = arrows.flatMap(({ from, labels, to }) =>
    labels.flatMap(({ names = [] }) => names.map((event) => ({ from, to, event }))),
  );
  const aboutLaunches = sent.filter(
    ({ from, to }) => to === 'actors.slot' || from === 'actors.slot',
  );
  assert.ok(aboutLaunches.length > 10);
  for (const { event, from, to } of aboutLaunches) {
    const named = senderOf(to.replace('actors.', ''), event);
    const senders = sent.filter((each) => each.to === to && each.event === event);
    const isAlone = senders.length === 1 || to !== 'actors.slot';
    assert.equal(named, isAlone ? from.replace('actors.', '') : null, `${event} to ${to}`);
  }
});
