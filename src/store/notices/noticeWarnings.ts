import type { Row } from '../channel.ts';
import type { Queryable } from '../queryable.ts';

/** So long a notice may wait before somebody should hear of it. */
const waitMinutes = 5;
const targetsMax = 5;

/** What is wrong with telling people: what was given up, and what waits for too long. */
export async function noticeWarnings(asker: Queryable): Promise<string[]> {
  const rows = await asker.query<Row[]>(selectTroubles, [waitMinutes, targetsMax]);
  return rows.map((row) => {
    const notices = Number(row.notices);
    const many = `${notices} ${notices === 1 ? 'notice' : 'notices'}`;
    const target = row.target_name as string;
    const error = (row.last_error as string | null) ?? 'no live node can send to it';
    const how = row.state === 'given_up' ? 'were given up' : `wait for over ${waitMinutes} minutes`;
    return `${many} to ${target} ${how}: ${error}; see: statecron notify log ${target}`;
  });
}

const selectTroubles = `/* noticeWarnings */ SELECT target_name, state, COUNT(*) AS notices,
    MAX(last_error) AS last_error
  FROM notice WHERE (state = 'given_up' AND ended_at > NOW(3) - INTERVAL 1 DAY)
    OR (state = 'waiting' AND since_at < NOW(3) - INTERVAL ? MINUTE)
  GROUP BY target_name, state ORDER BY target_name, state LIMIT ?`;
