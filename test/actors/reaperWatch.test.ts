import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createActor, fromCallback, setup } from 'xstate';
import { provideReaper } from '../../src/actors/reaperActor.ts';
import { ActivityCounts } from '../../src/actors/runtime/activityCounts.ts';
import type { Runtime } from '../../src/actors/runtime/runtime.ts';
import type { ReapRequest } from '../../src/domain/commit/batch.ts';
import type { CommitRequest } from '../../src/domain/commit/commitQueue.ts';
import type { SessionSeen } from '../../src/domain/commit/nodeStore.ts';
import { committed } from '../../src/domain/errors/outcome.ts';
import { allStripes } from '../../src/domain/run/stripes.ts';
import { until } from '../support/until.ts';

interface Watched {
  sessions: SessionSeen[];
  nowMs: number;
  /** Sessions that were marked ended, with the beats that stood still. */
  readonly ended: [string, number | null][];
  /** Nodes that were reported as lost. */
  readonly lost: string[];
  readonly reaped: string[];
  readonly requests: ReapRequest[];
  /** Answers a request to reap. */
  answer: (request: CommitRequest & { request: ReapRequest }) => void;
  /** Of each look: of which sessions it was, or of all. */
  readonly looks: ('all' | readonly string[])[];
  sessionsVersion: number;
  /** How often it had others read the sessions again. */
  bumps: number;
  moreLooks(count: number): Promise<void>;
}

function storeOf(watched: Watched, noteLook: () => void) {
  return {
    listSessions: async (only?: readonly string[]) => {
      setImmediate(noteLook);
      watched.looks.push(only ?? 'all');
      const sessions = watched.sessions.filter(
        ({ sessionId }) => only === undefined || only.includes(sessionId),
      );
      return { sessions, databaseNowMs: 1, sessionsVersion: watched.sessionsVersion };
    },
    bumpSessionsVersion: async () => {
      watched.bumps += 1;
    },
    endSession: async (sessionId: string, _why: string, beats: number | null) => {
      watched.ended.push([sessionId, beats]);
      watched.sessions = watched.sessions.filter((each) => each.sessionId !== sessionId);
      return committed(null);
    },
    ensureNodeSlots: async () => true,
    markReaped: async (sessionId: string) => {
      watched.reaped.push(sessionId);
      watched.sessions = watched.sessions.filter((each) => each.sessionId !== sessionId);
    },
  };
}

/** A reaper with nothing but sessions to look at and a clock that stands until it is moved. */
function startReaper(t: { after(cleanUp: () => void): void }): Watched {
  let looks = 0;
  const watched: Watched = {
    sessions: [],
    nowMs: 50_000,
    ended: [],
    lost: [],
    reaped: [],
    requests: [],
    looks: [],
    sessionsVersion: 1,
    bumps: 0,
    answer: ({ settle, request }) =>
      settle({ verdict: 'reaped', stripes: request.stripes, slots: 0 }),
    moreLooks: async (count) => {
      const before = looks;
      await until(`${count} looks`, () => looks >= before + count);
    },
  };
  const store = storeOf(watched, () => {
    looks += 1;
  });
  const runtime = {
    store,
    introduction: { sessionId: 'own' },
    settings: { ttlMs: 150 },
    reports: {
      trouble: (_what: string, error: unknown) => assert.fail(error as Error),
      nodeLost: (nodeName: string) => watched.lost.push(nodeName),
    },
    clock: { observe: () => undefined },
    activity: new ActivityCounts(),
    housekeeping: { isOwn: true },
    monotonicNowMs: () => watched.nowMs,
  };
  const deaf = fromCallback(() => undefined);
  const committer = fromCallback(({ receive }) => {
    receive((event) => {
      const { queued } = event as unknown as { queued: CommitRequest & { request: ReapRequest } };
      watched.requests.push(queued.request);
      watched.answer(queued);
    });
  });
  const reaper = provideReaper(runtime as unknown as Runtime);
  const machine = setup({ actors: { deaf, committer, reaper } }).createMachine({
    invoke: [
      { src: 'deaf', systemId: 'scheduler' },
      { src: 'committer', systemId: 'committer' },
      { src: 'reaper', systemId: 'reaper' },
    ],
  });
  const actor = createActor(machine);
  actor.start();
  t.after(() => actor.stop());
  return watched;
}

const rival = (beats: number, isLive = true): SessionSeen => {
  return { sessionId: 'rival', nodeName: 'rival node', isLive, beats, ttlMs: 1_000 };
};

test('a session is ended when its beats stood still for its own TTL, and not before', async (t) => {
  const watched = startReaper(t);
  const own = { ...rival(1), sessionId: 'own' };
  watched.sessions = [own, rival(5)];
  await watched.moreLooks(2);
  watched.nowMs += 900;
  await watched.moreLooks(3);
  watched.sessions = [own, rival(6)];
  await watched.moreLooks(2);
  watched.nowMs += 900; // 1,800 ms after the first look, 900 ms after the last beat
  await watched.moreLooks(3);
  assert.deepEqual(watched.ended, [], 'it beats');
  watched.nowMs += 101;
  await until('its end', () => watched.ended.length > 0);
  assert.deepEqual(watched.ended[0], ['rival', 6], 'the beats that stood still are named');
  await until('its report', () => watched.lost[0] === 'rival node');
});

test('a session that beats slower than the looks come is left alone', async (t) => {
  const watched = startReaper(t);
  for (let beats = 1; beats < 8; beats += 1) {
    watched.sessions = [rival(beats)];
    await watched.moreLooks(2);
    watched.nowMs += 999;
    await watched.moreLooks(2);
  }
  assert.deepEqual(watched.ended, []);
});

test('an ended session is done with only when every stripe was visited', async (t) => {
  const watched = startReaper(t);
  let visits = 0;
  watched.answer = ({ settle, request }) => {
    visits += 1;
    const isThere = (stripe: number) => stripe % 4 === visits % 4;
    const stripes = request.stripes.filter(isThere);
    settle({ verdict: 'reaped', stripes, slots: 0 });
  };
  watched.sessions = [rival(5, false)];
  await until('it is done with', () => watched.reaped.length > 0);
  assert.deepEqual(watched.requests[0]?.stripes, allStripes);
  assert.ok(visits >= 4, `done after ${visits} visits`);
  assert.ok(watched.requests.every(({ sessionId }) => sessionId === 'rival'));
});

/** Sorted before the own one and after it; the own one is no housekeeper beside the first five. */
const names = ['a1', 'a2', 'a3', 'a4', 'a5', 'zz'];
const crowd = (beats: number): SessionSeen[] =>
  [...names, 'own'].map((sessionId) => ({ ...rival(beats), sessionId, nodeName: sessionId }));
const few = names.slice(0, 5);

test('who is no housekeeper watches those, and all when they are others', async (t) => {
  const watched = startReaper(t);
  watched.sessions = crowd(1);
  await until('it has seen them', () => watched.looks.at(-1) !== 'all');
  await watched.moreLooks(3);
  assert.deepEqual(watched.looks.slice(-3), [few, few, few]);
  watched.nowMs += 900;
  const others = crowd(2).map((each) => (each.sessionId === 'zz' ? { ...each, beats: 1 } : each));
  watched.sessions = others;
  await watched.moreLooks(3);
  watched.nowMs += 200;
  await watched.moreLooks(3);
  assert.deepEqual(watched.ended, [], 'zz stands still, which is a matter of the housekeepers');
  watched.nowMs += 801;
  await until('all five have ended', () =>
    few.every((id) => watched.ended.some(([e]) => e === id)),
  );
  watched.sessionsVersion = 2;
  await until('it has their place', () => watched.looks.at(-1) === 'all');
  await watched.moreLooks(2);
  watched.nowMs += 1_001;
  await until('it ends the last', () => watched.ended.some(([id]) => id === 'zz'));
});

test('what changes without its version is told to all others', async (t) => {
  const watched = startReaper(t);
  watched.sessions = crowd(1).slice(3);
  await watched.moreLooks(3);
  const before = watched.bumps;
  watched.sessions = crowd(1).slice(4);
  await watched.moreLooks(3);
  assert.equal(watched.bumps, before + 1, 'a node of an earlier release has ended one');
  watched.sessions = crowd(1).slice(3);
  watched.sessionsVersion = 2;
  await watched.moreLooks(3);
  assert.equal(watched.bumps, before + 1, 'others know of this');
});
