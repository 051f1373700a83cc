import type { NoticeBatch, NoticesTaken } from '../../domain/notices/noticeStore.ts';
import type { NoticeTarget, TargetKind } from '../../domain/notices/noticeTarget.ts';
import type { Channel, Row } from '../channel.ts';
import { chooseNotices } from './chooseNotices.ts';
import { eventsOf, type NoticeCache } from './noticeCache.ts';

/** Targets that one node sends to at once. */
const targetsMax = 8;
/** How long a target is one node's. It need not be renewed: what is taken is sent well within. */
const leaseSeconds = 90;

/**
 * Takes up to some targets that have something due, and what is due of each. A target is one
 * node's at a time: the lease is a compare-and-set on its row, free again when it has run out or
 * its session is over, so that a death delays notices by no more. All of it costs one statement
 * while nothing is due.
 */
export async function takeNotices(
  channel: Channel,
  notices: NoticeCache,
  sessionId: string,
  kinds: readonly TargetKind[],
): Promise<NoticesTaken> {
  const rows = await channel.query<Row[]>(selectTargets, [sessionId]);
  notices.keep(rows);
  const ready = rows.filter((row) => isReady(row, kinds)).slice(0, targetsMax);
  const batches: NoticeBatch[] = [];
  for (const row of ready) {
    const taken = await channel.change(takeTarget, [
      sessionId,
      leaseSeconds,
      row.target_name as string,
      row.session_id as string,
      row.until_at as Date,
    ]);
    if (taken !== 1) continue;
    const target = targetOf(row);
    const messages = await chooseNotices(channel, target, roomOf(row));
    batches.push({ target, messages, failures: row.failures as number });
  }
  return { batches, leaseMs: leaseSeconds * 1000 };
}

/** What a row of the table says of a target. */
export function targetOf(row: Row): NoticeTarget {
  return {
    name: row.target_name as string,
    kind: row.kind as TargetKind,
    address: row.address as string,
    secret: row.secret as string | null,
    events: eventsOf(row),
    longMs: row.long_ms === null ? null : Number(row.long_ms),
    minuteMax: row.minute_max as number,
  };
}

function isReady(row: Row, kinds: readonly TargetKind[]): boolean {
  const mayTake = row.is_free === 1 && row.is_resting === 0 && kinds.includes(targetOf(row).kind);
  return mayTake && row.is_due === 1 && roomOf(row) > 0;
}

/** How many messages it may still get within its minute. */
function roomOf(row: Row): number {
  const sent = row.is_minute === 1 ? (row.minute_count as number) : 0;
  return (row.minute_max as number) - sent;
}

/** Those that were taken longest ago first, so that none is passed over. */
const selectTargets = `/* takeNotices look */ SELECT notice_target.*,
    notice_target.until_at <= NOW(3) OR notice_target.session_id = ?
      OR holder.session_id IS NULL AS is_free,
    notice_target.rest_until > NOW(3) AS is_resting,
    notice_target.minute_from > NOW(3) - INTERVAL 60 SECOND AS is_minute,
    EXISTS (SELECT 1 FROM notice WHERE notice.target_name = notice_target.target_name
      AND notice.state = 'waiting' AND notice.due_at <= NOW(3)) AS is_due
  FROM notice_target LEFT JOIN session holder
    ON holder.session_id = notice_target.session_id AND holder.state = 'live'
  ORDER BY notice_target.until_at, notice_target.target_name`;
const takeTarget = `/* takeNotices */ UPDATE notice_target
  SET session_id = ?, until_at = NOW(3) + INTERVAL ? SECOND
  WHERE target_name = ? AND session_id = ? AND until_at = ?`;
