import type { JobPolicies, RetryPolicy } from '../../../src/domain/job/jobPolicies.ts';
import type { WorkloadJob } from './workloadJobs.ts';

/**
 * Jobs with policies: what waits or is replaced, several at once, new attempts, what was
 * missed and was not to be, on every node. Under two runs a second in all.
 */
export function policyJobs(): WorkloadJob[] {
  const retry: RetryPolicy = {
    max: 2,
    delayMs: 700,
    backoff: 'exponential',
    delayMsMax: 5_000,
    jitter: true,
    on: ['failure', 'node-loss'],
  };
  return [
    job('queued', '*/5 * * * * *', { overlap: 'queue' }, 'ms=6500'),
    job('queued-all', '1/6 * * * * *', { overlap: 'queue-all' }, 'ms=4800'),
    job('replaced', '2/5 * * * * *', { overlap: 'replace' }, 'ms=7000'),
    job('terminated', '3/7 * * * * *', { overlap: 'terminate' }, 'ms=9000', 'deaf=1'),
    job('side-by-side', '*/4 * * * * *', { parallel: 3 }, 'ms=7000'),
    job('retried', '4/10 * * * * *', { retry }, 'ms=150', 'exit=5'),
    job('rerun', '1/7 * * * * *', { nodeLoss: 'rerun' }, 'ms=3000'),
    job('not-made-up', '*/3 * * * * *', { misfire: 'skip' }, 'ms=80'),
    job('all-made-up', '2/8 * * * * *', { misfire: 'all' }, 'ms=80'),
    job('in-time', '*/6 * * * * *', { startDeadlineMs: 12_000 }, 'ms=80'),
    job('splayed', '3/9 * * * * *', { splayMs: 4_000 }, 'ms=200'),
    job('forty-times', '5/6 * * * * *', { runsMax: 40 }, 'ms=100'),
    job('everywhere', '7/11 * * * * *', { kind: 'every-node' }, 'ms=300'),
  ];
}

function job(
  name: string,
  schedule: string,
  more: JobPolicies,
  ...behaviour: string[]
): WorkloadJob {
  return { name, schedule, behaviour, more, isVictim: false };
}
