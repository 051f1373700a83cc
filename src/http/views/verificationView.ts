import type { z } from '@hono/zod-openapi';
import type { Verification } from '../../store/verify/verifyDatabase.ts';
import type { verificationSchema } from '../schemas/verifySchemas.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

export type VerificationView = z.infer<typeof verificationSchema>;

/** What a verification found, as the API and `--json` show it. */
export function verificationView(verification: Verification): VerificationView {
  const { atMs, sinceMs, counts, findings, ...numbers } = verification;
  return {
    at: isoOf(atMs),
    since: isoOrNull(sinceMs),
    ...numbers,
    counts: Object.fromEntries(counts),
    findings: findings.map(({ tickMs, tickUntilMs, ...finding }) => {
      return { ...finding, tick: isoOrNull(tickMs), tickUntil: isoOrNull(tickUntilMs) };
    }),
  };
}
