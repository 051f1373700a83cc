import { fromPromise } from 'xstate';
import {
  type ReaperContext,
  type ReaperFinding,
  type ReaperLook,
  reaperMachine,
  type SeenBeats,
} from '../../statecharts/reaper.ts';
import type { SessionSeen, SessionsLook } from '../domain/commit/nodeStore.ts';
import { sessionEnds } from '../domain/reasons/sessionEnd.ts';
import { allStripes, stripeCount } from '../domain/run/stripes.ts';
import { dealStripes } from '../domain/targeting/dealStripes.ts';
import { housekeepersOf } from '../domain/targeting/housekeepers.ts';
import { besideLevel } from '../domain/targeting/mayTake.ts';
import { type LiveNode, plainNode } from '../domain/targeting/nodeFacts.ts';
import { requestCommit } from './runtime/requestCommit.ts';
import type { Runtime } from './runtime/runtime.ts';
import { type ActorSystem, sendTo } from './runtime/sendTo.ts';

const reapPeriodMsMax = 3_000;
const looksPerTtl = 15;
/** Who is no housekeeper looks at those few less often. */
const othersWatchPeriods = 4;
/** So often it sees all the same whether there are others than it knows. */
const looksPerWhole = 15;

/**
 * The reaper's chart with its effects. Its look also reads the database's clock and deals stripes.
 */
export function provideReaper(runtime: Runtime) {
  const { store, reports, settings } = runtime;
  return reaperMachine.provide({
    actors: {
      lookAtSessions: fromPromise<ReaperLook, ReaperContext>(({ input, system }) =>
        lookAtSessions(runtime, input, system),
      ),
      endSession: fromPromise<unknown, ReaperContext>(async ({ input: { finding, seenBeats } }) => {
        if (finding.finding !== 'stalled') return;
        const { sessionId, nodeName, beats } = finding;
        const nowMs = runtime.monotonicNowMs();
        const watchedMs = nowMs - (seenBeats.get(sessionId)?.sinceMs ?? nowMs);
        const why = sessionEnds.seenByOthers(watchedMs);
        const outcome = await store.endSession(sessionId, why, beats);
        if (outcome.outcome === 'unknown') throw outcome.cause;
        if (outcome.outcome === 'committed') reports.nodeLost?.(nodeName, why);
      }),
      markReaped: fromPromise<unknown, ReaperFinding>(async ({ input: finding }) => {
        if (finding.finding === 'ended') await store.markReaped(finding.sessionId);
      }),
    },
    actions: {
      requestReap: ({ context, self, system }) => {
        if (context.finding.finding !== 'ended') return;
        const { sessionId } = context.finding;
        const reaped = new Set(reapedOf(context, sessionId));
        const stripes = allStripes.filter((stripe) => !reaped.has(stripe));
        requestCommit(system, self, { kind: 'reap', sessionId, stripes });
      },
      reportTrouble: (_, { error }) => reports.trouble('looking at the other nodes failed', error),
    },
    guards: {
      allStripesReaped: ({ context, event }) =>
        event.type === 'reap.committed' &&
        new Set([...reapedOf(context, event.sessionId), ...event.stripes]).size === stripeCount,
    },
    delays: {
      reapPeriod: () => {
        const periodMs = Math.min(reapPeriodMsMax, settings.ttlMs / looksPerTtl);
        return runtime.housekeeping.isOwn ? periodMs : periodMs * othersWatchPeriods;
      },
    },
  });
}

/**
 * A housekeeper reads all sessions in each look, others the housekeepers', and all when these are
 * others than before: read by all nodes, the rows of all would be the square of their number.
 */
async function lookAtSessions(
  runtime: Runtime,
  context: ReaperContext,
  system: ActorSystem,
): Promise<ReaperLook> {
  const { housekeeping, introduction } = runtime;
  const { housekeepers, looks } = context;
  const isWhole = housekeeping.isOwn || looks % looksPerWhole === 0;
  const seen = await look(runtime, isWhole ? undefined : housekeepers);
  const isNews = seen.sessionsVersion !== context.sessionsVersion;
  if (!isWhole && !isNews && seen.databaseNowMs !== null) {
    const { dealtOver, placedBy: before } = context;
    const placedBy = await followTargeting(runtime, before, seen.targetingVersion ?? 0, dealtOver);
    return { ...context, looks: looks + 1, placedBy, ...findWork(runtime, context, seen.sessions) };
  }
  const all = isWhole ? seen : await look(runtime);
  const { sessions, sessionsVersion = 0, targetingVersion = 0 } = all;
  const live = sessions.filter(({ isLive }) => isLive);
  const dealtOver = live.map(rankText).join();
  let { dealt } = context;
  if (dealtOver !== context.dealtOver) {
    // An earlier release changes the sessions and not their version, by which others notice.
    if (!isNews && looks > 0) await runtime.store.bumpSessionsVersion();
    const share = dealStripes(introduction.sessionId, live.map(dealtSession));
    dealt = `${share.from}-${share.until}`;
    if (dealt !== context.dealt) sendTo(system, 'scheduler', { type: 'stripes.dealt', share });
  }
  const chosen = housekeepersOf(live.map(({ sessionId }) => sessionId));
  const isListed = live.some(({ sessionId }) => sessionId === introduction.sessionId);
  housekeeping.isOwn = !isListed || chosen.includes(introduction.sessionId);
  const placedBy = await followTargeting(runtime, context.placedBy, targetingVersion, dealtOver);
  const watched = housekeeping.isOwn
    ? sessions
    : sessions.filter(({ sessionId }) => chosen.includes(sessionId));
  const same = { sessionsVersion, housekeepers: chosen, looks: looks + 1 };
  return { ...same, dealtOver, dealt, placedBy, ...findWork(runtime, context, watched) };
}

async function look(runtime: Runtime, only?: readonly string[]): Promise<SessionsLook> {
  const { activity, clock, monotonicNowMs, store } = runtime;
  const sentAtMs = monotonicNowMs();
  const seen = await store.listSessions(only);
  if (seen.databaseNowMs === null) return seen;
  activity.isWatched = seen.isActivityWatched === true;
  clock.observe(seen.databaseNowMs, sentAtMs);
  return seen;
}

/** All of a session that the deal depends on. */
function rankText({ sessionId, level, isDraining, definitionFormat }: SessionSeen): string {
  return `${sessionId} ${level} ${isDraining} ${definitionFormat}`;
}

function dealtSession(seen: SessionSeen): LiveNode {
  return { ...plainNode, ...seen };
}

/**
 * How often a node that runs every tick beside the chosen one looks for jobs without its slots: an
 * every-node job may be added while it joins.
 */
const besideLookMs = 60_000;

function reapedOf(context: ReaperContext, sessionId: string): readonly number[] {
  return context.reapedStripes.get(sessionId) ?? [];
}

/**
 * Has the own slots made and taken away when the targeting is another than the one that was
 * followed last; returns the one followed now. What fails is reported, and tried by the next look.
 */
async function followTargeting(
  { introduction, monotonicNowMs, reports, store }: Runtime,
  placedBy: string | null,
  version: number,
  dealtOver: string,
): Promise<string | null> {
  const minute = Math.floor(monotonicNowMs() / besideLookMs);
  const isBeside = introduction.level === besideLevel;
  const by = isBeside ? `${version} ${dealtOver} ${minute}` : `${version}`;
  if (placedBy === by) return by;
  try {
    if (await store.ensureNodeSlots()) return by;
  } catch (error) {
    reports.trouble('making the places of jobs on every node failed', error);
  }
  return placedBy;
}

/**
 * The first session whose beats stood still for its TTL, then the ended ones in turn: one that
 * waits for a held stripe holds up no other.
 */
function findWork(
  { introduction, monotonicNowMs }: Runtime,
  { reaping, seenBeats: before }: ReaperContext,
  sessions: readonly SessionSeen[],
): Pick<ReaperLook, 'finding' | 'seenBeats' | 'reaping'> {
  const nowMs = monotonicNowMs();
  const seenBeats = new Map<string, SeenBeats>();
  let finding: ReaperFinding | null = null;
  for (const { sessionId, nodeName, isLive, beats, ttlMs } of sessions) {
    if (!isLive || sessionId === introduction.sessionId) continue;
    const seen = before.get(sessionId);
    const sinceMs = seen?.beats === beats ? seen.sinceMs : nowMs;
    seenBeats.set(sessionId, { beats, sinceMs });
    if (nowMs - sinceMs >= ttlMs) finding ??= { finding: 'stalled', sessionId, nodeName, beats };
  }
  if (finding !== null) return { finding, seenBeats, reaping };
  const ended = sessions.filter(({ isLive }) => !isLive).map(({ sessionId }) => sessionId);
  const sessionId = ended[ended.indexOf(reaping) + 1] ?? ended[0];
  if (sessionId === undefined) return { finding: { finding: 'nothing' }, seenBeats, reaping };
  return { finding: { finding: 'ended', sessionId }, seenBeats, reaping: sessionId };
}
