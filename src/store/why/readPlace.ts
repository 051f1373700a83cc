import type { Target } from '../../domain/job/jobPolicies.ts';
import type { NodeGroups } from '../../domain/targeting/nodeFacts.ts';
import type { HeldLaunches, SessionFacts } from '../../domain/why/whyFacts.ts';
import type { Channel } from '../connection/channel.ts';
import { each, flag, integer, jsonOf, rowOf, text, wordOf } from '../rows/row.ts';
import {
  pastColumns,
  pastSessions,
  selectPast,
  wasThereSince,
} from '../targeting/explainMissed.ts';

/** The sessions that are there, and those that were at an instant or later, as many as may be. */
export async function readSessions(
  channel: Channel,
  sinceMs: number,
): Promise<{ readonly sessions: readonly SessionFacts[]; readonly isCut: boolean }> {
  const parameters = [new Date(sinceMs), sessionsMax];
  const sessions = await channel.rows(sessionRow, selectSessions, parameters);
  return { sessions, isCut: sessions.length === sessionsMax };
}

/** The members of the groups of nodes that a target names. */
export async function readNodeGroups(
  channel: Channel,
  { excludeGroups = [], groups = [] }: Target,
): Promise<NodeGroups> {
  const names = [...groups, ...excludeGroups];
  if (names.length === 0) return new Map();
  const rows = await channel.rows(groupRow, selectGroups, [names]);
  return new Map(rows.map(({ groupName, members }) => [groupName, new Set(members)]));
}

interface Held {
  readonly bySession: ReadonlyMap<string, HeldLaunches>;
  readonly byTarget: ReadonlyMap<number, number>;
}

/** What sessions hold, and what the jobs of a group hold, by their targets. */
export async function readHeld(
  channel: Channel,
  sessionIds: readonly string[],
  jobGroup: string | null,
): Promise<Held> {
  const parts: string[] = [];
  const parameters: (readonly string[] | string)[] = [];
  if (sessionIds.length > 0) {
    parts.push(countBySession);
    parameters.push(sessionIds);
  }
  if (jobGroup !== null) {
    parts.push(countByTarget);
    parameters.push(jobGroup);
  }
  const sql = `/* whyJob held */ ${parts.join(' UNION ALL ')}`;
  const rows = parts.length === 0 ? [] : await channel.rows(heldRow, sql, parameters);
  const bySession = new Map(sessionIds.map((id) => [id, { prepared: 0, executing: 0 }]));
  const byTarget = new Map<number, number>();
  for (const { holder, isSession, ...counts } of rows) {
    if (isSession) bySession.set(holder, counts);
    else byTarget.set(Number(holder), counts.prepared + counts.executing);
  }
  return { bySession, byTarget };
}

/**
 * More lives of nodes than that are not looked at, which takes 15 ms for a thousand; the index has
 * those first that are there.
 */
const sessionsMax = 1_000;

const sessionRow = rowOf({
  ...pastColumns,
  ...each(integer, 'ttlMs', 'renewedAgoMs', 'capacity', 'concurrency'),
  state: wordOf<SessionFacts['state']>(),
});
const selectSessions = `/* whyJob sessions */ SELECT ${selectPast}, ttl_ms, capacity, concurrency,
    CASE WHEN state <> 'live' THEN 'gone'
      WHEN renewed_at + INTERVAL ttl_ms * 1000 MICROSECOND >= NOW(3) THEN 'live'
      ELSE 'silent' END AS state,
    GREATEST(0, TIMESTAMPDIFF(MICROSECOND, renewed_at, NOW(3)) DIV 1000) AS renewed_ago_ms
  FROM ${pastSessions} WHERE ${wasThereSince} LIMIT ?`;
const groupRow = rowOf({ groupName: text, members: jsonOf<readonly string[]>() });
const selectGroups = `/* whyJob groups */ SELECT group_name, members FROM node_group
  WHERE group_name IN (?)`;
const heldRow = rowOf({ isSession: flag, holder: text, ...each(integer, 'prepared', 'executing') });
const counts = "SUM(state = 'prepare') AS prepared, SUM(state = 'executing') AS executing";
const countBySession = `(SELECT 1 AS is_session, session_id AS holder, ${counts}
  FROM slot FORCE INDEX (slot_by_session) WHERE session_id IN (?) GROUP BY session_id)`;
const countByTarget = `(SELECT 0 AS is_session, CAST(target_id AS CHAR) AS holder, ${counts}
  FROM slot FORCE INDEX (slot_by_due) WHERE state IN ('prepare', 'executing')
    AND target_id IN (SELECT target.target_id FROM target WHERE job_group = ?)
  GROUP BY target_id)`;
