import { setTimeout as sleep } from 'node:timers/promises';
import type { VerifyRequest } from '../../../store/verify/verifyDatabase.ts';
import type { VerifyProgress } from '../../../store/verify/verifyJobs.ts';
import type { ApiVariables } from '../../authentication/api.ts';
import type { VerificationView } from '../../contract/clusterContract.ts';
import { problemOf } from '../../problems/problem.ts';
import { busy } from '../../problems/retryLater.ts';

/** It reads all that there is, and has one of the few connections of the API meanwhile. */
let isUnderWay = false;
const periodMs = 1_000;

/**
 * Verifies, and reports its progress while somebody reads that. What is refused within the first
 * second is answered as any other refusal.
 * @throws OperatorError `busy` while another one goes on at this node; what `verifyDatabase`
 * throws.
 */
export async function streamVerification(
  request: Omit<VerifyRequest, 'progress'>,
  operate: ApiVariables['operate'],
): Promise<ReadableStream<Uint8Array>> {
  if (isUnderWay) {
    throw busy('This node verifies the database for somebody else already.', 10_000);
  }
  isUnderWay = true;
  let far: VerifyProgress = { jobs: 0, runs: 0 };
  let isLeft = false;
  const progress = (next: VerifyProgress): void => {
    if (isLeft) throw new Error('nobody waits for this verification any more');
    far = next;
  };
  const verified = operate((operator) => operator.verifyCluster({ ...request, progress })).finally(
    () => {
      isUnderWay = false;
    },
  );
  // It may fail while nobody reads its progress.
  verified.catch(() => undefined);
  await within(verified);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const verification = await within(verified).catch((error: unknown) => problemOf(error));
        controller.enqueue(lineOf(verification, far));
        if (verification !== null) controller.close();
      },
      cancel: () => {
        isLeft = true;
      },
    },
    { highWaterMark: 0 },
  );
}

/** What comes of it, or null when that takes longer than a second. */
async function within(verified: Promise<VerificationView>): Promise<VerificationView | null> {
  const late = new AbortController();
  const { signal } = late;
  try {
    const silence = sleep(periodMs, null, { signal }).catch(() => null);
    return await Promise.race([verified, silence]);
  } finally {
    late.abort();
  }
}

function lineOf(
  outcome: VerificationView | ReturnType<typeof problemOf> | null,
  progress: VerifyProgress,
): Uint8Array {
  const line =
    outcome === null
      ? { progress }
      : 'findings' in outcome
        ? { verification: outcome }
        : { problem: outcome };
  return new TextEncoder().encode(`${JSON.stringify(line)}\n`);
}
