import type { Queryable } from '../../connection/queryable.ts';
import { integer, nullable, rowOf, text } from '../../rows/row.ts';

/** So long a notification may wait before somebody should hear of it. */
const waitMinutes = 5;
const targetsMax = 5;

/** What is wrong with notifications: what was given up, and what waits for too long. */
export async function targetWarnings(database: Queryable): Promise<string[]> {
  const troubles = await database.rows(trouble, selectTroubles, [waitMinutes, targetsMax]);
  return troubles.map(({ target, state, notifications, lastError }) => {
    const isOne = notifications === 1;
    const many = `${notifications} ${isOne ? 'notification' : 'notifications'}`;
    const error = lastError ?? 'no live node can send to it';
    const givenUp = isOne ? 'was given up' : 'were given up';
    const waiting = isOne ? 'has waited' : 'have waited';
    const how = state === 'given_up' ? givenUp : `${waiting} for over ${waitMinutes} minutes`;
    return `${many} to ${target} ${how}: ${error}; see: statecron notify log ${target}`;
  });
}

const trouble = rowOf({
  target: text,
  state: text,
  notifications: integer,
  lastError: nullable(text),
});
const selectTroubles = `/* targetWarnings */ SELECT target_name AS target, state,
    COUNT(*) AS notifications, MAX(last_error) AS last_error
  FROM notice WHERE (state = 'given_up' AND ended_at > NOW(3) - INTERVAL 1 DAY)
    OR (state = 'waiting' AND since_at < NOW(3) - INTERVAL ? MINUTE)
  GROUP BY target_name, state ORDER BY target_name, state LIMIT ?`;
