import { fromPromise } from 'xstate';
import { type ReaperEvent, type ReaperFinding, reaperMachine } from '../../statecharts/reaper.ts';
import type { SessionSeen } from '../domain/commit/nodeStore.ts';
import { allStripes, stripeCount } from '../domain/run/stripes.ts';
import { dealStripes } from '../domain/targeting/dealStripes.ts';
import { besideLevel } from '../domain/targeting/mayTake.ts';
import { type LiveNode, plainNode } from '../domain/targeting/nodeFacts.ts';
import { requestCommit } from './runtime/requestCommit.ts';
import type { Runtime } from './runtime/runtime.ts';
import { sendTo } from './runtime/sendTo.ts';

const reapPeriodMsMax = 3_000;
const looksPerTtl = 15;

interface Watch {
  /** By session: the beats last seen and since when, by the own monotonic clock. */
  readonly beats: Map<string, { beats: number; sinceMs: number }>;
  /** By ended session: the stripes on which nothing of it is left. */
  readonly reapedStripes: Map<string, Set<number>>;
  /** The session that was reaped last. */
  reaping: string;
  /** Over which live sessions stripes were dealt last, and what came of it. */
  dealtOver: string;
  dealt: string;
  /** By which targeting, and which others, this node has all its own slots. */
  placedBy: string | null;
}

/**
 * The reaper's chart with its effects. Its look also reads the database's clock and deals stripes.
 */
export function provideReaper(runtime: Runtime) {
  const { store, reports, settings } = runtime;
  const watch: Watch = {
    beats: new Map(),
    reapedStripes: new Map(),
    reaping: '',
    dealtOver: 'nobody',
    dealt: 'nothing',
    placedBy: null,
  };
  return reaperMachine.provide({
    actors: {
      lookAtSessions: fromPromise<ReaperFinding>(async ({ system }) => {
        const sentAtMs = runtime.monotonicNowMs();
        const look = await store.listSessions();
        if (look.databaseNowMs !== null) runtime.clock.observe(look.databaseNowMs, sentAtMs);
        const live = look.sessions.filter(({ isLive }) => isLive);
        const over = live.map(rankText).join();
        if (over !== watch.dealtOver) {
          watch.dealtOver = over;
          const stripes = dealStripes(runtime.introduction.sessionId, live.map(dealtSession));
          if (stripes.join() !== watch.dealt) {
            watch.dealt = stripes.join();
            sendTo(system, 'scheduler', { type: 'stripes.dealt', stripes });
          }
        }
        await followTargeting(runtime, watch, look.targetingVersion ?? 0);
        return findWork(runtime, watch, look.sessions);
      }),
      endSession: fromPromise<unknown, ReaperFinding>(async ({ input: finding }) => {
        if (finding.finding !== 'stalled') return;
        const why = `its node did not renew it for ${watchedMs(watch, runtime, finding)} ms`;
        const outcome = await store.endSession(finding.sessionId, why, finding.beats);
        if (outcome.outcome === 'unknown') throw outcome.cause;
      }),
      markReaped: fromPromise<unknown, ReaperFinding>(async ({ input: finding }) => {
        if (finding.finding !== 'ended') return;
        await store.markReaped(finding.sessionId);
        watch.reapedStripes.delete(finding.sessionId);
      }),
    },
    actions: {
      requestReap: ({ context, self, system }) => {
        if (context.finding.finding !== 'ended') return;
        const { sessionId } = context.finding;
        watch.reaping = sessionId;
        const reaped = reapedOf(watch);
        const stripes = allStripes.filter((stripe) => !reaped.has(stripe));
        requestCommit(system, self, { kind: 'reap', sessionId, stripes });
      },
      keepStripes: ({ event }) => {
        const reaped = reapedOf(watch);
        for (const stripe of stripesIn(event)) reaped.add(stripe);
        watch.reapedStripes.set(watch.reaping, reaped);
      },
      reportTrouble: (_, { error }) => reports.trouble('the look at the sessions', error),
    },
    guards: {
      allStripesReaped: ({ event }) =>
        new Set([...reapedOf(watch), ...stripesIn(event)]).size === stripeCount,
    },
    delays: {
      reapPeriod: Math.min(reapPeriodMsMax, settings.ttlMs / looksPerTtl),
    },
  });
}

/** All of a session that the deal depends on. */
function rankText({ sessionId, level, isDraining, definitionFormat }: SessionSeen): string {
  return `${sessionId} ${level} ${isDraining} ${definitionFormat}`;
}

function dealtSession(seen: SessionSeen): LiveNode {
  return { ...plainNode, ...seen };
}

/**
 * How often a node that runs every tick beside the chosen one looks for jobs without its slots: one
 * that was added while it joined is another version only when it is an every-node job.
 */
const besideLookMs = 60_000;

/**
 * Has the own slots made and taken away when the targeting is another than the one that was
 * followed last. What fails is reported, and tried again by the next look, which has other things
 * to find, too.
 */
async function followTargeting(runtime: Runtime, watch: Watch, version: number): Promise<void> {
  const { introduction, monotonicNowMs, reports, store } = runtime;
  const minute = Math.floor(monotonicNowMs() / besideLookMs);
  const isBeside = introduction.level === besideLevel;
  const by = isBeside ? `${version} ${watch.dealtOver} ${minute}` : `${version}`;
  if (watch.placedBy === by) return;
  try {
    if (await store.ensureNodeSlots()) watch.placedBy = by;
  } catch (error) {
    reports.trouble('the slots of this node', error);
  }
}

function stripesIn(event: ReaperEvent): readonly number[] {
  return event.type === 'reap.committed' ? event.stripes : [];
}

function reapedOf(watch: Watch): Set<number> {
  return watch.reapedStripes.get(watch.reaping) ?? new Set();
}

/**
 * The first session whose beats stood still for its TTL, then the ended ones in turn: one that
 * waits for a held stripe holds up no other.
 */
function findWork(runtime: Runtime, watch: Watch, sessions: readonly SessionSeen[]): ReaperFinding {
  const nowMs = runtime.monotonicNowMs();
  const before = new Map(watch.beats);
  watch.beats.clear();
  let stalled: ReaperFinding | null = null;
  for (const { sessionId, isLive, beats, ttlMs } of sessions) {
    if (!isLive || sessionId === runtime.introduction.sessionId) continue;
    const seen = before.get(sessionId);
    const sinceMs = seen?.beats === beats ? seen.sinceMs : nowMs;
    watch.beats.set(sessionId, { beats, sinceMs });
    if (nowMs - sinceMs >= ttlMs) stalled ??= { finding: 'stalled', sessionId, beats };
  }
  if (stalled !== null) return stalled;
  const ended = sessions.filter(({ isLive }) => !isLive).map(({ sessionId }) => sessionId);
  const sessionId = ended[ended.indexOf(watch.reaping) + 1] ?? ended[0];
  return sessionId === undefined ? { finding: 'nothing' } : { finding: 'ended', sessionId };
}

function watchedMs(
  watch: Watch,
  runtime: Runtime,
  finding: Extract<ReaperFinding, { finding: 'stalled' }>,
): number {
  const sinceMs = watch.beats.get(finding.sessionId)?.sinceMs ?? runtime.monotonicNowMs();
  return Math.round(runtime.monotonicNowMs() - sinceMs);
}
