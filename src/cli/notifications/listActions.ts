import type { NotificationFacts } from '../../domain/notifications/notification.ts';
import { printList } from '../connect/printAnswer.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { shortTime } from '../output/print.ts';

/** `notify list`. */
export async function listTargetsAction(options: ClusterOptions): Promise<void> {
  await printList(options, {
    read: (operator) => operator.listNotificationTargets(),
    empty: 'No notification targets. Add one: statecron notify add ops --mail …',
    headings: [
      ...['TARGET', 'KIND', 'OF EVERY JOB', 'PER MINUTE', 'WAIT', 'GIVEN UP', 'LAST SENT'],
      ...['ADDRESS', 'ERROR'],
    ],
    rowOf: (each) => [
      ...[each.name, each.kind, each.events.join(',') || '-', `${each.minuteMax}`],
      ...[`${each.waiting}`, `${each.givenUp}`, shortTime(each.lastSentAt), each.address],
      each.lastError ?? '-',
    ],
  });
}

/** `notify log`. */
export async function listNotificationsAction(
  target: string | undefined,
  options: ClusterOptions & { readonly limit: number },
): Promise<void> {
  await printList(options, {
    read: (operator) =>
      operator.listNotifications({ target: target ?? null, notificationsMax: options.limit }),
    empty: 'There are no recent notifications.',
    headings: ['WHEN', 'TARGET', 'WHAT', 'STATE', 'TRIES', 'ABOUT', 'ID', 'ERROR'],
    rowOf: (each) => [
      ...[shortTime(each.createdAt), each.target, each.event, each.state.replace('_', ' ')],
      ...[`${each.tries}`, aboutOf(each.facts), each.id, each.lastError ?? '-'],
    ],
  });
}

function aboutOf({ job, node, counts }: NotificationFacts): string {
  if (counts !== undefined) {
    return Object.entries(counts)
      .map(([event, count]) => `${count} ${event}`)
      .join(', ');
  }
  return job ?? node ?? '-';
}
