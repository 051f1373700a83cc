import type { z } from '@hono/zod-openapi';
import type { addedTokenSchema, tokenListSchema } from '../schemas/accessSchemas.ts';
import type { changedGroupSchema, sessionsSchema } from '../schemas/clusterSchemas.ts';
import type { backfilledSchema, runAskedSchema, skippedSchema } from '../schemas/jobAskSchemas.ts';
import type { addedJobSchema, changedJobSchema, jobPageSchema } from '../schemas/jobSchemas.ts';
import type { noticeListSchema, targetListSchema } from '../schemas/noticeSchemas.ts';
import type {
  liveSchema,
  retriedSchema,
  runPageSchema,
  stoppedSchema,
} from '../schemas/runSchemas.ts';

import type { verifyLineSchema } from '../schemas/verifySchemas.ts';

/** What the routes answer, by their own schemas; the schemas themselves are not loaded. */
export type AddedJobJson = z.output<typeof addedJobSchema>;
export type AddedTokenJson = z.output<typeof addedTokenSchema>;
export type BackfilledJson = z.output<typeof backfilledSchema>;
export type ChangedGroupJson = z.output<typeof changedGroupSchema>;
export type ChangedJobJson = z.output<typeof changedJobSchema>;
export type JobPageJson = z.output<typeof jobPageSchema>;
export type NoticeListJson = z.output<typeof noticeListSchema>;
export type LiveJson = z.output<typeof liveSchema>;
export type RetriedJson = z.output<typeof retriedSchema>;
export type RunAskedJson = z.output<typeof runAskedSchema>;
export type RunPageJson = z.output<typeof runPageSchema>;
export type SessionsJson = z.output<typeof sessionsSchema>;
export type SkippedJson = z.output<typeof skippedSchema>;
export type StoppedJson = z.output<typeof stoppedSchema>;
export type TargetListJson = z.output<typeof targetListSchema>;
export type TokenListJson = z.output<typeof tokenListSchema>;
export type VerifyLineJson = z.output<typeof verifyLineSchema>;
