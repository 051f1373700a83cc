import type { z } from '@hono/zod-openapi';
import type { NoticeListed, TargetListed } from '../../store/notices/listNotices.ts';
import type { noticeSchema, targetSchema } from '../schemas/noticeSchemas.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

export type NoticeView = z.infer<typeof noticeSchema>;
export type TargetView = z.infer<typeof targetSchema>;

/** Who is told, as the API and `--json` show it. */
export function targetView(target: TargetListed): TargetView {
  const { lastSentMs, events, ...same } = target;
  return { ...same, events: [...events], lastSentAt: isoOrNull(lastSentMs) };
}

/** What was told, or waits to be. */
export function noticeView(notice: NoticeListed): NoticeView {
  const { createdMs, dueMs, endedMs, facts, ...same } = notice;
  return {
    ...{ ...same, facts: { ...facts } },
    ...{ createdAt: isoOf(createdMs), dueAt: isoOf(dueMs), endedAt: isoOrNull(endedMs) },
  };
}
