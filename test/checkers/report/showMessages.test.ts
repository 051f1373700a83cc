import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanHistory } from '../clean/cleanHistory.ts';
import { richPlan } from '../clean/plans.ts';
import { gatherEvidence } from '../evidence.ts';
import { need } from '../mutants/draft.ts';
import { messagesOf } from './messagesOf.ts';
import type { RunMessages } from './runMessages.ts';
import { showMessages } from './showMessages.ts';

const history = cleanHistory(richPlan);
const evidence = gatherEvidence(history);
const { about, lives } = history;
const seconds = (atMs: number): number => Math.round(atMs - about.startedMs) / 1_000;
const whole = messagesOf(history, () => true);
const launches = [...evidence.trails.launches.values()];
const show = (messages: RunMessages, launchId: string) =>
  need(showMessages(evidence, messages, [launchId], seconds).launches[launchId]);

/** The launches that a session has told by an instant, as they were then. */
function until(sessionId: string, atMs: number): RunMessages {
  const atDatabaseMs = evidence.clock.databaseAt(atMs).earliestMs;
  const said = Object.entries(whole.launches).map(([launchId, { messages }]) => {
    const own = messages.filter((each) => each.atMs <= atDatabaseMs);
    return [launchId, { reportedDatabaseMs: atDatabaseMs, messages: own }] as const;
  });
  return {
    leftOut: 0,
    sessions: { [sessionId]: atDatabaseMs },
    launches: Object.fromEntries(said.filter(([, { messages }]) => messages.length > 0)),
  };
}

test('of a launch that came to its end all messages are shown, at the times of its rows', () => {
  const { claim, idle, launchId, start } = need(launches.find((each) => each.idle !== null));
  const { gap, said } = show(whole, launchId);
  assert.equal(gap, null);
  const times = [claim, need(start), need(idle)].map((step) => seconds(step.earliestMs));
  assert.deepEqual(
    said.map(([at]) => at),
    times,
  );
  const { kinds } = showMessages(evidence, whole, [launchId], seconds);
  assert.deepEqual(kinds[1], ['committer', 'slot', 'start.committed', 'executing.running']);
});

test('what a node had not reported when it was killed is said to be lost with it', () => {
  const life = need(lives.find(({ ending, sessionId }) => ending === 'killed' && sessionId));
  const sessionId = need(life.sessionId);
  const own = launches.filter((each) => each.sessionId === sessionId && each.start !== null);
  const last = need(own.at(-1));
  const killed = `its node was killed at ${seconds(need(life.endedMs))} s, before it reported`;
  const early = until(sessionId, last.claim.earliestMs - 1);
  assert.deepEqual(show(early, last.launchId), { said: [], gap: `${killed} them` });
  const half = show(until(sessionId, last.claim.earliestMs + 1), last.launchId);
  assert.deepEqual([half.said.length, half.gap], [1, `${killed} more`]);
});

test('what a node left out for newer launches is said to be left out', () => {
  const { claim, launchId, sessionId } = need(launches.find((each) => each.idle !== null));
  const others = { ...whole, launches: {} };
  assert.match(show(others, launchId).gap ?? '', /^its node reported others and not this one/);
  assert.match(show({ ...others, leftOut: 3 }, launchId).gap ?? '', /which the run left out$/);
  const half = until(need(sessionId), claim.earliestMs + 1);
  const later = { ...half, sessions: whole.sessions };
  assert.equal(show(later, launchId).gap, 'newer launches took its place in later reports');
});
