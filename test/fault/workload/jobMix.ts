import type { Random } from '../world/random.ts';
import type { OperationKind, Victim } from './victim.ts';
import { commandOf, type LedgerPlace, tokenOf, workloadJobs } from './workloadJobs.ts';

/** Which operations are made, and of which jobs. */
export interface JobMix {
  readonly victims: readonly string[];
  /** Each as often as it is done; none: no operations. */
  readonly kinds: readonly OperationKind[];
  /** From one operation to the next, at least and at most. */
  readonly gapMs: readonly [number, number];
  /** What an add or an edit gives a job; a schedule of null stays as it is. */
  draw(random: Random, kind: 'add' | 'edit', victim: Victim): JobChange;
}

export interface JobChange {
  /** It has a token of its own: the next one of the job. */
  readonly command: string;
  readonly cron: string | null;
}

/** Of a handful of jobs: each of them is left alone for some seconds. */
export const operationGapMs = [600, 2_400] as const;

/** A paused job is mostly resumed. */
const kindsByWeight: readonly OperationKind[] = [
  ...(['edit', 'edit', 'edit', 'edit', 'pause', 'pause', 'run', 'run', 'run'] as const),
  ...(['stop', 'stop', 'stop', 'remove', 'add'] as const),
];

/** The mix of the workload of a run: jobs that are made for it, and come and go. */
export function workloadMix(place: LedgerPlace): JobMix {
  return {
    victims: workloadJobs().flatMap(({ name, isVictim }) => (isVictim ? [name] : [])),
    kinds: kindsByWeight,
    gapMs: operationGapMs,
    draw: (random, kind, { name, tokens }) => {
      const behaviour = [`ms=${random.between(50, 2_500)}`];
      const command = commandOf(place, tokenOf(name, tokens), behaviour);
      const cron = `${random.between(0, 2)}/${random.between(1, 4)} * * * * *`;
      const isTimed = kind === 'add' || random.next() < 0.5;
      return { command, cron: isTimed ? cron : null };
    },
  };
}
