import type { Queryable } from '../../connection/queryable.ts';
import { integer, nullable, rowOf, text } from '../../rows/row.ts';

/** So long a notice may wait before somebody should hear of it. */
const waitMinutes = 5;
const targetsMax = 5;

/** What is wrong with telling people: what was given up, and what waits for too long. */
export async function noticeWarnings(asker: Queryable): Promise<string[]> {
  const troubles = await asker.rows(trouble, selectTroubles, [waitMinutes, targetsMax]);
  return troubles.map(({ target, state, notices, lastError }) => {
    const many = `${notices} ${notices === 1 ? 'notice' : 'notices'}`;
    const error = lastError ?? 'no live node can send to it';
    const how = state === 'given_up' ? 'were given up' : `wait for over ${waitMinutes} minutes`;
    return `${many} to ${target} ${how}: ${error}; see: statecron notify log ${target}`;
  });
}

const trouble = rowOf({ target: text, state: text, notices: integer, lastError: nullable(text) });
const selectTroubles = `/* noticeWarnings */ SELECT target_name AS target, state,
    COUNT(*) AS notices, MAX(last_error) AS last_error
  FROM notice WHERE (state = 'given_up' AND ended_at > NOW(3) - INTERVAL 1 DAY)
    OR (state = 'waiting' AND since_at < NOW(3) - INTERVAL ? MINUTE)
  GROUP BY target_name, state ORDER BY target_name, state LIMIT ?`;
