import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { NoticeFacts } from '../../domain/notices/notice.ts';
import type { Row } from '../channel.ts';

/** What the row of a launch that has ended says of it. */
export function endFacts(definition: JobDefinition, row: Row): NoticeFacts {
  const startedAt = row.started_at as Date | null;
  return {
    ...jobFacts(definition),
    launchId: row.launch_id as string,
    attempt: row.attempt as number,
    trigger: row.triggered_by as string,
    scheduledFor: (row.scheduled_for as Date).toISOString(),
    ...(startedAt === null ? {} : { startedAt: startedAt.toISOString() }),
    endedAt: (row.now_at as Date).toISOString(),
  };
}

/** What every notice says of its job. */
export function jobFacts({ name, group }: JobDefinition): NoticeFacts {
  return { job: name, ...(group === undefined ? {} : { group }) };
}
