import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type {
  NotificationDraft,
  NotificationFacts,
} from '../../domain/notifications/notification.ts';
import { notificationId } from '../../domain/notifications/notificationId.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import type { Parameter } from '../connection/queryable.ts';

/** So that a node's loss with thousands of launches stays within any server's packet. */
const rowsMax = 500;

/**
 * Writes notifications into the outbox, in the transaction of what they are about: they are there
 * when it is committed, and not when it is not. One that is there already stays as it is.
 */
export async function insertNotifications(
  connection: ChannelConnection,
  drafts: readonly NotificationDraft[],
): Promise<void> {
  for (let from = 0; from < drafts.length; from += rowsMax) {
    const part = drafts.slice(from, from + rowsMax);
    const parameters = part.flatMap((draft): Parameter[] => {
      const { target, event, launchId = null, delayMs = 0 } = draft;
      const [facts, delayUs] = [JSON.stringify(draft.facts), delayMs * 1000];
      return [notificationId(draft), target, event, launchId, facts, delayUs, delayUs];
    });
    const rows = part.map(() => row).join(', ');
    await connection.change(`${insert} ${rows} ${orLeave}`, parameters);
  }
}

const insert = `/* insertNotifications */ INSERT INTO notice
    (stable_id, target_name, event, launch_id, facts, created_at, since_at, due_at)
  VALUES`;
const row = `(?, ?, ?, ?, ?, NOW(3), NOW(3) + INTERVAL ? MICROSECOND,
    NOW(3) + INTERVAL ? MICROSECOND)`;
/** Not IGNORE, which would also cut what is too long. */
const orLeave = 'ON DUPLICATE KEY UPDATE notice_id = notice_id';

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
