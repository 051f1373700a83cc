import type { Taken } from '../../domain/commit/cleaningPace.ts';
import { waitingHoursMax } from '../../domain/notifications/retryNotification.ts';
import type { Channel } from '../connection/channel.ts';
import { integer, rowOf, text } from '../rows/row.ts';
import { cleanRows } from './cleanRows.ts';

const rowsMax = 500;
/** What was sent is kept for a look back, and what was given up until somebody has seen it. */
const sentHours = 24;
const givenUpHours = 7 * 24;
/** After its end, so that the recovery of a monthly job knows what became of its failure. */
const muteHours = 35 * 24;
/** Of one target: a table that only grows would in the end slow down who writes into it. */
const waitingMax = 50_000;

/**
 * One step of cleaning the outbox: gives up what nobody could send for a day, and what waits
 * beyond any bound, the oldest first; deletes what is over, old mutes included. Resolves to how
 * many rows that were.
 */
export async function cleanNotifications(channel: Channel): Promise<Taken> {
  const { isMore, rows } = await cleanRows(
    channel,
    [
      [giveUpLate, waitingHoursMax],
      [deleteOver, sentHours],
      [deleteGivenUp, givenUpHours],
      [deleteMutes, muteHours],
    ],
    rowsMax,
  );
  let surplus = 0;
  for (const { targetName, waiting } of await channel.rows(crowded, selectCrowded, [waitingMax])) {
    const many = Math.min(rowsMax, waiting - waitingMax);
    surplus += await channel.change(giveUpSurplus, [targetName, many]);
  }
  return { isMore: isMore || surplus >= rowsMax, rows: rows + surplus };
}

const giveUpLate = `/* cleanNotifications late */ UPDATE notice
  SET state = 'given_up', ended_at = NOW(3),
    last_error = IFNULL(last_error, 'no node could send it')
  WHERE state = 'waiting' AND since_at < NOW(3) - INTERVAL ? HOUR LIMIT ?`;
const crowded = rowOf({ targetName: text, waiting: integer });
const selectCrowded = `/* cleanNotifications crowded */ SELECT target_name, COUNT(*) AS waiting
  FROM notice WHERE state = 'waiting' GROUP BY target_name HAVING COUNT(*) > ?`;
const giveUpSurplus = `/* cleanNotifications surplus */ UPDATE notice
  SET state = 'given_up', ended_at = NOW(3), last_error = 'too many were waiting'
  WHERE state = 'waiting' AND target_name = ? ORDER BY notice_id LIMIT ?`;
const deleteOver = `/* cleanNotifications over */ DELETE FROM notice
  WHERE state IN ('sent', 'digested', 'dropped', 'muted')
    AND ended_at < NOW(3) - INTERVAL ? HOUR LIMIT ?`;
const deleteGivenUp = `/* cleanNotifications given up */ DELETE FROM notice
  WHERE state = 'given_up' AND ended_at < NOW(3) - INTERVAL ? HOUR LIMIT ?`;
const deleteMutes = `/* cleanNotifications mutes */ DELETE FROM notice_mute
  WHERE until_at < NOW(3) - INTERVAL ? HOUR LIMIT ?`;
