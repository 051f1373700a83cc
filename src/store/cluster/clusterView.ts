import { jobsCountedMax } from '../../domain/job/jobsCountedMax.ts';
import { isQuiet, isSilent } from '../../domain/targeting/nodeFacts.ts';
import { counted } from '../../domain/text/counted.ts';
import type { Channel } from '../connection/channel.ts';
import { targetWarnings } from '../notifications/delivery/listNotifications.ts';
import {
  each,
  flag,
  instantMs,
  integer,
  jsonOf,
  nullable,
  only,
  rowOf,
  text,
  wordOf,
} from '../rows/row.ts';
import {
  findUnrunnableJobs,
  readCordonedFrom,
  readUnrunnableTargets,
  type UnrunnableJobs,
} from '../targeting/unrunnableJobs.ts';
import { countJobs } from './countJobs.ts';
import { lateSlots, readLostRequests } from './lostRequests.ts';
import { type PauseShown, pausedTogether } from './pausedTogether.ts';

/** One life of a node process, live or lately ended, and how many slots it holds by their state. */
interface SessionShown extends ReturnType<typeof sessionShown> {
  readonly prepared: number;
  readonly executing: number;
}

export interface ClusterShown {
  /** Live ones first, by name; then ended ones, the latest first. */
  readonly sessions: readonly SessionShown[];
  readonly nowMs: number;
  /** All of them; above 10,000 as countJobs has them. */
  readonly jobs: number;
  /**
   * Idle slots whose time is over, and that a live node which renews its session may run: there
   * should be next to none.
   */
  readonly overdue: number;
  /** Jobs that no live node may run. */
  readonly unrunnable: UnrunnableJobs;
  /** About nodes and slots. */
  readonly warnings: readonly string[];
  /** Those that name jobs. */
  readonly jobWarnings: readonly string[];
  /** The pauses that some of those are about. */
  readonly pauses: readonly PauseShown[];
  /** Those that name targets of notifications. */
  readonly targetWarnings: readonly string[];
}

/** For those who may see everything; first what may keep them from hearing of the others. */
export function allWarnings(
  cluster: Pick<ClusterShown, 'warnings' | 'jobWarnings' | 'targetWarnings'>,
): string[] {
  return [...cluster.warnings, ...cluster.targetWarnings, ...cluster.jobWarnings];
}

/** Who is there, who was, and whether they fit together. Read without locks. */
export async function readCluster(
  channel: Channel,
  options: { readonly endedWithinMs: number; readonly sessionsMax: number },
): Promise<ClusterShown> {
  const endedWithin = options.endedWithinMs * 1000;
  const rows = await channel.rows(sessionShown, selectSessions, [endedWithin, options.sessionsMax]);
  const held = await channel.rows(heldSlots, countHeld);
  const unrunnable = await findUnrunnableJobs(channel);
  // An every-node job owes its ticks to a node that is away until that is back, or forgotten.
  const live = rows.filter(({ state }) => state === 'live');
  const quiet = new Set(live.filter(isQuiet).map(({ node }) => node));
  const taking = live.flatMap(({ isDraining, node }) =>
    isDraining || quiet.has(node) ? [] : [node],
  );
  const leased = quiet.size === 0 ? [] : await readUnrunnableTargets(channel, quiet);
  const waiting = [[-1, ...unrunnable.targetIds, ...leased], ['', ...taking], overdueMax];
  const totals = await channel.row(clusterTotals, selectTotals, waiting);
  const jobs = await countJobs(channel);
  const lost = totals.overdue === 0 ? noneLost : await readLostRequests(channel, waiting);
  const overdue = Math.max(0, totals.overdue - lost.slots);
  const counts = new Map(held.map(({ sessionId, state, slots }) => [sessionId + state, slots]));
  const sessions = rows.map((session): SessionShown => {
    const count = (state: string): number => counts.get(session.sessionId + state) ?? 0;
    return { ...session, prepared: count('prepare'), executing: count('executing') };
  });
  const away = await channel.rows(only(text), selectHeldAway);
  const pauses = await pausedTogether(channel);
  const isAnyWaiting = live.length > 0 && unrunnable.jobs > 0;
  const isAnyCordoned = isAnyWaiting && live.some(({ isCordoned }) => isCordoned);
  const kept = isAnyCordoned ? await readCordonedFrom(channel, unrunnable.targetIds) : new Set();
  const cordoned = live.filter(({ node }) => kept.has(node));
  return {
    ...{ sessions, ...totals, jobs, overdue, unrunnable },
    warnings: [
      ...warningsOf(sessions, overdue),
      ...(live.length > 0 ? lost.warnings : []),
      ...heldWarnings(sessions, away),
    ],
    jobWarnings: [
      ...(isAnyWaiting ? [unrunnableText(unrunnable, cordoned)] : []),
      ...pauses.map(({ warning }) => warning),
    ],
    pauses,
    targetWarnings: await targetWarnings(channel),
  };
}

const overdueMax = 10_000;
const noneLost = { slots: 0, warnings: [] };

function unrunnableText(
  { jobs, names }: UnrunnableJobs,
  cordoned: readonly Pick<SessionShown, 'node' | 'cordonedBy' | 'cordonNote'>[],
): string {
  const shown = names.slice(0, namesShown).join(', ');
  const least = jobs < jobsCountedMax ? '' : 'at least ';
  const more = jobs > namesShown ? ` and ${least}${jobs - namesShown} more` : '';
  if (cordoned.length > 0) {
    const causes = cordoned.slice(0, namesShown).map(cordonText).join('; ');
    return `${causes}; no other live node may run ${shown}${more}`;
  }
  const where = jobs === 1 ? 'where it may run' : 'where they may run';
  const see = `see ${where}, and the levels, labels and users of the nodes`;
  return `no live node may run ${shown}${more}: ${see}`;
}

function cordonText({
  cordonNote,
  cordonedBy,
  node,
}: Parameters<typeof unrunnableText>[1][number]): string {
  const by = cordonedBy ? ` by ${cordonedBy}` : '';
  const note = (cordonNote ?? '').replace(/\.$/, '');
  return `${node} is cordoned${by}${note === '' ? '' : `: ${note}`}`;
}

const namesShown = 5;

function warningsOf(sessions: readonly SessionShown[], overdue: number): string[] {
  const live = sessions.filter(({ state }) => state === 'live');
  if (live.length === 0) return [noneLive];
  const differing = (name: string, values: readonly string[]): string[] => {
    const different = [...new Set(values)];
    return different.length > 1 ? [`live nodes differ in ${name}: ${different.join(', ')}`] : [];
  };
  const zones = live.map(({ timezoneData }) => timezoneData);
  const versions = live.map(({ version }) => version);
  const silent = live.filter(isSilent);
  const quiet = live.filter(isQuiet).map(({ node }) => node);
  const orHeld = quiet.length === 0 ? '' : `, or they wait for what ${quiet.join(', ')} holds`;
  return [
    ...differing('time zone data, so schedules near clock changes may differ', zones),
    ...differing('version', versions),
    ...silent.map(({ node, renewedAgoMs, ttlMs }) => {
      const since = `${node} has not renewed its session for ${Math.round(renewedAgoMs / 1000)} s`;
      const leftMs = Math.max(0, ttlMs - renewedAgoMs);
      const until = `its session is over, in ${Math.round(leftMs / 1000)} s`;
      return `${since}: what waits for it goes on when ${until}`;
    }),
    ...(overdue === 0
      ? []
      : [`${counted(overdue, 'launch is', 'launches are')} late by 10 s: ${lateText}${orHeld}`]),
  ];
}

const noneLive =
  'no node is live: nothing runs; start one with: statecron node (as a service: systemctl start ' +
  'statecron)';

/** Cordons that somebody may have forgotten, or that do not hold. */
function heldWarnings(sessions: readonly SessionShown[], away: readonly string[]): string[] {
  const unaware = sessions.filter(
    ({ cordonedMs, isDraining, state }) => state === 'live' && cordonedMs !== null && !isDraining,
  );
  return [
    ...unaware.map(({ node, version }) => {
      const again = `repeat: statecron node cordon ${node}`;
      const why = `its version ${version} does not know it`;
      return `${node} is cordoned, and takes work: ${why}; ${again}`;
    }),
    ...away.map((node) => {
      const undo = `undo it with: statecron node uncordon ${node}`;
      return `${node} is cordoned and not live: it takes no work when it comes back; ${undo}`;
    }),
  ];
}

const lateText = 'nobody took work for a time, or capacity, concurrency or a limit is too small';

const sessionShown = rowOf({
  sessionId: text,
  node: text,
  state: wordOf<'live' | 'ended'>(),
  host: text,
  processId: integer,
  /** The node's parent, which kills its children when it dies; null when it runs without one. */
  guardianProcessId: nullable(integer),
  version: text,
  /** Version of the time zone data that its schedules are computed with. */
  timezoneData: text,
  capacity: integer,
  concurrency: integer,
  level: integer,
  labels: jsonOf<readonly string[]>(),
  users: nullable(jsonOf<readonly string[]>()),
  definitionFormat: integer,
  ...each(flag, 'isDraining', 'isCordoned'),
  /** Since when an operator keeps it from new work, by the hold of its name. */
  cordonedMs: nullable(instantMs),
  ...each(nullable(text), 'cordonedBy', 'cordonNote'),
  ttlMs: integer,
  startedMs: instantMs,
  /** How long ago it renewed, by the database's clock. */
  renewedAgoMs: integer,
  endedMs: nullable(instantMs),
  endedWhy: nullable(text),
});
const selectSessions = `/* readCluster */ SELECT session.*, session.node_name AS node,
    draining AS is_draining, session.cordoned AS is_cordoned, held_since AS cordoned,
    held_by AS cordoned_by, hold_note AS cordon_note, started_at AS started, ended_at AS ended,
    GREATEST(0, TIMESTAMPDIFF(MICROSECOND, renewed_at, NOW(3)) DIV 1000) AS renewed_ago_ms
  FROM session LEFT JOIN node_hold ON node_hold.node_name = session.node_name
    AND held_until IS NULL AND state = 'live'
  WHERE state = 'live' OR ended_at >= NOW(3) - INTERVAL ? MICROSECOND
  ORDER BY state = 'live' DESC, IF(state = 'live', session.node_name, ''), ended_at DESC LIMIT ?`;
const selectHeldAway = `/* readCluster cordoned */ SELECT node_name FROM node_hold
  WHERE held_until IS NULL AND NOT EXISTS (SELECT 1 FROM session
    WHERE session.node_name = node_hold.node_name AND state = 'live') ORDER BY node_name LIMIT 20`;
const heldSlots = rowOf({ sessionId: text, state: text, slots: integer });
const countHeld = `/* readCluster held */ SELECT session_id, state, COUNT(*) AS slots
  FROM slot WHERE session_id IS NOT NULL GROUP BY session_id, state`;
const clusterTotals = rowOf({ nowMs: instantMs, overdue: integer });
const selectTotals = `/* readCluster totals */ SELECT NOW(3) AS now,
    (SELECT COUNT(*) FROM (SELECT 1 ${lateSlots}) AS late) AS overdue`;
