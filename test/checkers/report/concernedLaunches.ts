import type { Evidence } from '../evidence.ts';
import type { LaunchTrail } from '../readTrails.ts';
import type { Violation } from '../violation.ts';

/** A launch that a violation is about, or that came just before or after in the same place. */
export interface ConcernedLaunch {
  readonly launchId: string;
  readonly role: 'accused' | 'concerned' | 'before' | 'after';
}

/**
 * The launches that tell of a violation side by side: those that it names, and where it names fewer
 * than two the ones before and after them in the same slot, else of the same job.
 * @param most so many at most; the accused and the first ones are kept
 */
export function concernedLaunches(
  evidence: Evidence,
  violation: Pick<Violation, 'atMs' | 'job' | 'launchId' | 'launches'>,
  most = 5,
): ConcernedLaunch[] {
  const { launchId, launches } = violation;
  const named = launches.map((each): ConcernedLaunch => {
    return { launchId: each, role: each === launchId ? 'accused' : 'concerned' };
  });
  const kept = named.filter(({ role }, place) => role === 'accused' || place < most - 1);
  if (kept.length >= 2) return kept.slice(0, most);
  const own = evidence.trails.launches.get(launchId ?? '') ?? null;
  const all = othersOf(evidence, own, violation.job).filter((each) => each !== own);
  const atMs = own?.claim.earliestMs ?? violation.atMs;
  const before = all.filter(({ claim }) => claim.earliestMs < atMs).at(-1);
  const after = all.find(({ claim }) => claim.earliestMs >= atMs);
  return [
    ...(before === undefined ? [] : [{ launchId: before.launchId, role: 'before' } as const]),
    ...kept,
    ...(after === undefined ? [] : [{ launchId: after.launchId, role: 'after' } as const]),
  ];
}

/** The launches of a slot or a job, in the order of their claims. */
function othersOf(evidence: Evidence, own: LaunchTrail | null, job: string | null) {
  const ofSlot = own === null ? null : evidence.trails.launchesBySlot.get(own.slotId);
  const ofJob = evidence.jobs.filter(({ record }) => record.name === job);
  const launches = ofSlot ?? ofJob.flatMap((each) => each.launches);
  return [...launches].sort((a, b) => a.claim.earliestMs - b.claim.earliestMs);
}
