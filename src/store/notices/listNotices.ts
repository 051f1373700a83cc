import type { NoticeFacts, NoticeKind } from '../../domain/notices/notice.ts';
import type { NoticeTarget } from '../../domain/notices/noticeTarget.ts';
import { asciiText } from '../asciiText.ts';
import type { Channel, Row } from '../channel.ts';
import { targetOf } from './takeNotices.ts';

/** A target without its secret, and how it is with it. */
export interface TargetListed extends Omit<NoticeTarget, 'secret'> {
  readonly waiting: number;
  readonly givenUp: number;
  readonly lastSentMs: number | null;
  /** Of the last try, when that failed. */
  readonly lastError: string | null;
}

/** All targets by name. Read without locks. */
export async function listNoticeTargets(channel: Channel): Promise<TargetListed[]> {
  const rows = await channel.query<Row[]>(selectTargets);
  return rows.map((row) => {
    const { secret: _, ...target } = targetOf(row);
    return {
      ...target,
      waiting: Number(row.waiting),
      givenUp: Number(row.given_up),
      lastSentMs: (row.last_sent_at as Date | null)?.getTime() ?? null,
      lastError: row.last_error as string | null,
    };
  });
}

/** A notice of the outbox, as it is now. */
export interface NoticeListed {
  readonly id: string;
  readonly target: string;
  readonly event: NoticeKind;
  readonly state: 'waiting' | 'sent' | 'digested' | 'dropped' | 'given_up';
  readonly facts: NoticeFacts;
  readonly createdMs: number;
  /** When it is tried next, or was tried last. */
  readonly dueMs: number;
  readonly endedMs: number | null;
  readonly tries: number;
  readonly lastError: string | null;
}

/** The notices of one target or of all, the newest first, as far as they are kept. */
export async function listNotices(
  channel: Channel,
  options: { readonly target: string | null; readonly noticesMax: number },
): Promise<NoticeListed[]> {
  const { target, noticesMax } = options;
  const wanted = target === null ? null : asciiText(target);
  const rows = await channel.query<Row[]>(selectNotices, [wanted, wanted, noticesMax]);
  return rows.map((row) => ({
    id: row.stable_id as string,
    target: row.target_name as string,
    event: row.event as NoticeKind,
    state: row.state as NoticeListed['state'],
    facts: JSON.parse(row.facts as string) as NoticeFacts,
    createdMs: (row.created_at as Date).getTime(),
    dueMs: (row.due_at as Date).getTime(),
    endedMs: (row.ended_at as Date | null)?.getTime() ?? null,
    tries: row.tries as number,
    lastError: row.last_error as string | null,
  }));
}

const selectTargets = `/* listNoticeTargets */ SELECT notice_target.*,
    (SELECT COUNT(*) FROM notice WHERE notice.target_name = notice_target.target_name
      AND notice.state = 'waiting' AND notice.due_at <= NOW(3)) AS waiting,
    (SELECT COUNT(*) FROM notice WHERE notice.target_name = notice_target.target_name
      AND notice.state = 'given_up') AS given_up
  FROM notice_target ORDER BY target_name`;
const selectNotices = `/* listNotices */ SELECT * FROM notice
  WHERE ? IS NULL OR target_name = ? ORDER BY notice_id DESC LIMIT ?`;
