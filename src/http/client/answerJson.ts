import type { z } from '@hono/zod-openapi';
import type {
  addedTokenSchema,
  auditPageSchema,
  tokenListSchema,
} from '../schemas/accessSchemas.ts';
import type {
  changedGroupSchema,
  clusterSchema,
  groupSchema,
  limitSchema,
  sessionsSchema,
  shownGroupSchema,
} from '../schemas/clusterSchemas.ts';
import type { backfilledSchema, runAskedSchema, skippedSchema } from '../schemas/jobAskSchemas.ts';
import type {
  addedJobSchema,
  changedJobSchema,
  jobPageSchema,
  shownJobSchema,
} from '../schemas/jobSchemas.ts';
import type { noticeListSchema, targetListSchema } from '../schemas/noticeSchemas.ts';
import type {
  liveSchema,
  retriedSchema,
  runPageSchema,
  runSchema,
  stoppedSchema,
} from '../schemas/runSchemas.ts';

import type { verificationSchema, verifyLineSchema } from '../schemas/verifySchemas.ts';

/** What the routes answer, by their own schemas; the schemas themselves are not loaded. */
export type AddedJobJson = z.output<typeof addedJobSchema>;
export type AddedTokenJson = z.output<typeof addedTokenSchema>;
export type AuditPageJson = z.output<typeof auditPageSchema>;
export type BackfilledJson = z.output<typeof backfilledSchema>;
export type ChangedGroupJson = z.output<typeof changedGroupSchema>;
export type ChangedJobJson = z.output<typeof changedJobSchema>;
export type ClusterJson = z.output<typeof clusterSchema>;
export type GroupJson = z.output<typeof groupSchema>;
export type JobPageJson = z.output<typeof jobPageSchema>;
export type NoticeListJson = z.output<typeof noticeListSchema>;
export type LimitJson = z.output<typeof limitSchema>;
export type LiveJson = z.output<typeof liveSchema>;
export type RetriedJson = z.output<typeof retriedSchema>;
export type RunAskedJson = z.output<typeof runAskedSchema>;
export type RunJson = z.output<typeof runSchema>;
export type RunPageJson = z.output<typeof runPageSchema>;
export type SessionsJson = z.output<typeof sessionsSchema>;
export type ShownGroupJson = z.output<typeof shownGroupSchema>;
export type ShownJobJson = z.output<typeof shownJobSchema>;
export type SkippedJson = z.output<typeof skippedSchema>;
export type StoppedJson = z.output<typeof stoppedSchema>;
export type TargetListJson = z.output<typeof targetListSchema>;
export type TokenListJson = z.output<typeof tokenListSchema>;
export type VerificationJson = z.output<typeof verificationSchema>;
export type VerifyLineJson = z.output<typeof verifyLineSchema>;
