import { exitCodes } from '../../domain/errors/errors.ts';
import type { Since } from '../../domain/verify/since.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson } from '../output/print.ts';
import { formatCount, ProgressLine } from '../output/progressLine.ts';
import { printVerification } from './printVerification.ts';

interface VerifyOptions extends ClusterOptions {
  readonly job?: string;
  readonly since?: Since;
}

/** `verify`: resolves to the exit code. */
export async function verifyAction(options: VerifyOptions): Promise<number> {
  const { job, since } = options;
  const startedMs = performance.now();
  const progress = new ProgressLine();
  const verification = await withOperator(options, async (operator) => {
    try {
      return await operator.verifyCluster({
        ...(job === undefined ? {} : { job }),
        ...(since === undefined ? {} : { since }),
        progress: ({ jobs, runs }) =>
          progress.show(() => `verified ${formatCount(jobs)} jobs, ${formatCount(runs)} rows`),
      });
    } finally {
      progress.end();
    }
  });
  const tookMs = Math.round(performance.now() - startedMs);
  if (options.json) {
    const ok = verification.broken === 0;
    printJson({ ok, tookMs, ...verification });
  } else printVerification(verification, tookMs);
  return verification.broken > 0 ? exitCodes.failed : exitCodes.ok;
}
