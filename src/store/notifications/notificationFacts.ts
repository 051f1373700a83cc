import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { NotificationFacts } from '../../domain/notifications/notification.ts';

/** A launch that has ended. */
interface EndedLaunch {
  readonly launchId: string;
  readonly attempt: number;
  readonly trigger: string;
  readonly scheduledForMs: number;
  readonly startedMs: number | null;
}

/** What every notification of the end of a launch says of it. */
export function endFacts(
  definition: JobDefinition,
  { launchId, attempt, trigger, scheduledForMs, startedMs }: EndedLaunch,
  endedMs: number,
): NotificationFacts {
  return {
    ...jobFacts(definition),
    ...{ launchId, attempt, trigger, scheduledFor: iso(scheduledForMs) },
    ...(startedMs === null ? {} : { startedAt: iso(startedMs) }),
    endedAt: iso(endedMs),
  };
}

/** What every notification says of its job. */
export function jobFacts({ name, group }: JobDefinition): NotificationFacts {
  return { job: name, ...(group === undefined ? {} : { group }) };
}

/** An instant as notifications say it. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
