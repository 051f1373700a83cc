import type { Verification } from '../../store/verify/verifyDatabase.ts';
import type { VerificationView } from '../contract/clusterContract.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

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
