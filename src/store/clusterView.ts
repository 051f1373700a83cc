import type { Channel, Row } from './channel.ts';
import { noticeWarnings } from './notices/noticeWarnings.ts';
import { factsOf } from './targeting/readLiveNodes.ts';
import { findUnrunnableJobs, type UnrunnableJobs } from './targeting/unrunnableJobs.ts';

/** One life of a node process, live or lately ended, and what it holds. */
interface SessionShown {
  readonly sessionId: string;
  readonly node: string;
  readonly state: 'live' | 'ended';
  readonly host: string;
  readonly processId: number;
  /** The node's parent, which kills its children when it dies; null when it runs without one. */
  readonly guardianProcessId: number | null;
  readonly version: string;
  /** Version of the time zone data that its schedules are computed with. */
  readonly timezoneData: string;
  readonly capacity: number;
  readonly concurrency: number;
  readonly level: number;
  readonly labels: readonly string[];
  readonly definitionFormat: number;
  readonly isDraining: boolean;
  readonly ttlMs: number;
  readonly startedMs: number;
  /** How long ago it renewed, by the database's clock. */
  readonly renewedAgoMs: number;
  readonly endedMs: number | null;
  readonly endedWhy: string | null;
  readonly prepared: number;
  readonly executing: number;
}

export interface ClusterShown {
  /** Live ones first, by name; then ended ones, the latest first. */
  readonly sessions: readonly SessionShown[];
  readonly nowMs: number;
  readonly jobs: number;
  /** Idle slots whose time is over, and that a live node may run: there should be next to none. */
  readonly overdue: number;
  /** Jobs that no live node may run. */
  readonly unrunnable: UnrunnableJobs;
  /** About nodes and slots. */
  readonly warnings: readonly string[];
  /** Those that name jobs. */
  readonly jobWarnings: readonly string[];
  /** Those that name targets of notices. */
  readonly noticeWarnings: readonly string[];
}

/** For whoever may know of everything. */
export function allWarnings(
  cluster: Pick<ClusterShown, 'warnings' | 'jobWarnings' | 'noticeWarnings'>,
): string[] {
  return [...cluster.warnings, ...cluster.jobWarnings, ...cluster.noticeWarnings];
}

/** Who is there, who was, and whether they fit together. Read without locks. */
export async function readCluster(
  channel: Channel,
  options: { readonly endedWithinMs: number; readonly sessionsMax: number },
): Promise<ClusterShown> {
  const endedWithin = options.endedWithinMs * 1000;
  const rows = await channel.query<Row[]>(selectSessions, [endedWithin, options.sessionsMax]);
  const held = await channel.query<Row[]>(countHeld);
  const unrunnable = await findUnrunnableJobs(channel);
  const waiting = [-1, ...unrunnable.targetIds];
  // An every-node job owes its ticks to a node that is away until that is back, or forgotten.
  const live = rows.flatMap((row) => (row.state === 'live' ? [row.node_name as string] : []));
  const [totals] = await channel.query<Row[]>(selectTotals, [waiting, ['', ...live], overdueMax]);
  if (totals === undefined) throw new Error('readCluster: the database answered no row');
  const counts = new Map(held.map((row) => [`${row.session_id}:${row.state}`, Number(row.slots)]));
  const sessions = rows.map((row) => sessionOf(row, counts));
  const overdue = Number(totals.overdue);
  const isSomebodyLive = sessions.some(({ state }) => state === 'live');
  return {
    sessions,
    nowMs: (totals.now_at as Date).getTime(),
    jobs: Number(totals.jobs),
    overdue,
    unrunnable,
    warnings: warningsOf(sessions, overdue),
    jobWarnings: isSomebodyLive && unrunnable.jobs > 0 ? [unrunnableText(unrunnable)] : [],
    noticeWarnings: await noticeWarnings(channel),
  };
}

const overdueMax = 10_000;

function unrunnableText({ jobs, names }: UnrunnableJobs): string {
  const shown = names.slice(0, namesShown).join(', ');
  const more = jobs > namesShown ? ` and ${jobs - namesShown} more` : '';
  return `no live node may run ${shown}${more}: see their targets, and the levels and labels here`;
}

const namesShown = 5;

function sessionOf(row: Row, counts: ReadonlyMap<string, number>): SessionShown {
  return {
    sessionId: row.session_id as string,
    node: row.node_name as string,
    state: row.state as 'live' | 'ended',
    host: row.host as string,
    processId: row.process_id as number,
    guardianProcessId: row.guardian_process_id as number | null,
    version: row.version as string,
    timezoneData: row.timezone_data as string,
    capacity: row.capacity as number,
    concurrency: row.concurrency as number,
    ...factsOf(row),
    ttlMs: row.ttl_ms as number,
    startedMs: (row.started_at as Date).getTime(),
    renewedAgoMs: Math.max(0, (row.now_at as Date).getTime() - (row.renewed_at as Date).getTime()),
    endedMs: (row.ended_at as Date | null)?.getTime() ?? null,
    endedWhy: row.ended_why as string | null,
    prepared: counts.get(`${row.session_id}:prepare`) ?? 0,
    executing: counts.get(`${row.session_id}:executing`) ?? 0,
  };
}

function warningsOf(sessions: readonly SessionShown[], overdue: number): string[] {
  const live = sessions.filter(({ state }) => state === 'live');
  const differing = (name: string, values: readonly string[]): string[] => {
    const different = [...new Set(values)];
    return different.length > 1 ? [`live nodes differ in ${name}: ${different.join(', ')}`] : [];
  };
  const zones = live.map(({ timezoneData }) => timezoneData);
  const silent = live.filter(({ renewedAgoMs, ttlMs }) => renewedAgoMs > ttlMs / 2);
  return [
    ...(live.length === 0 ? ['no node is live: nothing runs; start one with: statecron node'] : []),
    ...differing('time zone data, so schedules near clock changes may differ', zones),
    ...differing(
      'version',
      live.map(({ version }) => version),
    ),
    ...silent.map(
      ({ node, renewedAgoMs }) =>
        `${node} has not renewed its session for ${Math.round(renewedAgoMs / 1000)} s`,
    ),
    ...(live.length > 0 && overdue > 0
      ? [`${overdue} slots are overdue by 10 s: capacity, concurrency or a limit is too small`]
      : []),
  ];
}

const selectSessions = `/* readCluster */ SELECT session.*, NOW(3) AS now_at FROM session
  WHERE state = 'live' OR ended_at >= NOW(3) - INTERVAL ? MICROSECOND
  ORDER BY state = 'live' DESC, IF(state = 'live', node_name, ''), ended_at DESC LIMIT ?`;
const countHeld = `/* readCluster held */ SELECT session_id, state, COUNT(*) AS slots
  FROM slot WHERE session_id IS NOT NULL GROUP BY session_id, state`;
const selectTotals = `/* readCluster totals */ SELECT NOW(3) AS now_at,
    (SELECT COUNT(*) FROM job WHERE removed_no = 0) AS jobs,
    (SELECT COUNT(*) FROM (SELECT 1 FROM slot FORCE INDEX (slot_by_due)
      WHERE state = 'idle' AND next_run_at < NOW(3) - INTERVAL 10 SECOND
        AND target_id NOT IN (?) AND node_name IN (?) LIMIT ?) AS late)
    AS overdue`;
