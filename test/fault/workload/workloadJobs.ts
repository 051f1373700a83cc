import path from 'node:path';
import { withLowestFormat } from '../../../src/domain/job/edit/definitionFormat.ts';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';

/** A job of the workload before it has a ledger. */
export interface WorkloadJob {
  readonly name: string;
  readonly schedule: string;
  /** Arguments of the recorder, e.g. `ms=200`. */
  readonly behaviour: readonly string[];
  readonly more?: Partial<JobDefinition>;
  /** Operations may be done to it; the others are the steady load. */
  readonly isVictim: boolean;
}

/** Where the recorder and its ledgers are. */
export interface LedgerPlace {
  readonly recorder: string;
  readonly folder: string;
  /** The number of clock_gettime(2) on this processor. */
  readonly clockSyscall: number;
}

export function ledgerPlace(folder: string): LedgerPlace {
  const recorder = path.join(import.meta.dirname, 'recorder.pl');
  return { recorder, folder, clockSyscall: process.arch === 'arm64' ? 113 : 228 };
}

/** What bash is given; the token says which edit of which job it came from. */
export function commandOf(place: LedgerPlace, token: string, behaviour: readonly string[]): string {
  const words = [place.recorder, place.folder].map((word) => `'${word}'`);
  return ['exec perl', ...words, String(place.clockSyscall), token, ...behaviour].join(' ');
}

export function definitionOf(place: LedgerPlace, job: WorkloadJob): JobDefinition {
  const command = commandOf(place, tokenOf(job.name, 1), job.behaviour);
  return withLowestFormat({
    ...jobDefaults,
    graceMs: 500,
    name: job.name,
    schedule: job.schedule,
    command,
    ...job.more,
  });
}

export const tokenOf = (job: string, number: number): string => `${job}#${number}`;

/**
 * About ten runs a second in all, most of them short: every second, every few seconds, longer than
 * their period, failing, dying of a signal, with descendants in sessions of their own and without
 * any environment, deaf to SIGTERM, timed out, noisy.
 */
export function workloadJobs(): WorkloadJob[] {
  return [...steady, ...misbehaving, ...victims];
}

const steady: readonly WorkloadJob[] = [
  job('second-1', '* * * * * *', 'ms=50'),
  job('second-2', '* * * * * *', 'ms=200'),
  job('second-3', '@every 1s', 'ms=400'),
  job('two-1', '*/2 * * * * *', 'ms=100'),
  job('two-2', '1/2 * * * * *', 'ms=900'),
  job('two-every', '@every 2s', 'ms=300'),
  job('three-1', '*/3 * * * * *', 'ms=100'),
  job('three-2', '2/3 * * * * *', 'ms=1500'),
  job('five-1', '*/5 * * * * *', 'ms=2500'),
  job('five-2', '3/5 * * * * *', 'ms=100', 'exit=3'),
  job('ten-long', '*/10 * * * * *', 'ms=8000'),
];

const misbehaving: readonly WorkloadJob[] = [
  job('overlap-second', '* * * * * *', 'ms=1800'),
  job('overlap-two', '*/2 * * * * *', 'ms=3300'),
  job('failing', '*/2 * * * * *', 'ms=60', 'exit=7'),
  job('dying', '1/4 * * * * *', 'ms=150', 'signal=SEGV'),
  job('leaving-child', '*/4 * * * * *', 'ms=200', 'child=1500'),
  job('leaving-daemon', '2/5 * * * * *', 'ms=200', 'daemon=2000'),
  {
    ...job('waiting-child', '3/6 * * * * *', 'ms=200', 'child=700'),
    more: { leftovers: 'wait' },
  },
  { ...job('deaf', '1/5 * * * * *', 'ms=4000', 'deaf=1'), more: { timeoutMs: 1_200 } },
  { ...job('timed-out', '2/4 * * * * *', 'ms=3000'), more: { timeoutMs: 700 } },
  // Gives P6 up: it lives on when its node is fenced, and its result is still recorded.
  { ...job('left-to-finish', '2/4 * * * * *', 'ms=2600'), more: { onFence: 'finish' } },
  { ...job('noisy', '4/5 * * * * *', 'ms=100', 'noise=262144'), more: { outputBytesMax: 32_768 } },
];

const victims: readonly WorkloadJob[] = [
  ...Array.from({ length: 6 }, (_, index) => ({
    ...job(`victim-${index + 1}`, `${index % 3}/3 * * * * *`, `ms=${[80, 600, 2000][index % 3]}`),
    isVictim: true,
  })),
];

function job(name: string, schedule: string, ...behaviour: string[]): WorkloadJob {
  return { name, schedule, behaviour, isVictim: false };
}
