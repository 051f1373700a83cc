import type { NoticeFacts } from '../domain/notices/notice.ts';
import type { ClusterOptions } from './clusterOptions.ts';
import { printJson, printNote, printTable, shortTime } from './print.ts';
import { withOperator } from './withOperator.ts';

type Options = ClusterOptions & { readonly json?: boolean };

/** `notify list`. */
export async function listTargetsAction(options: Options): Promise<void> {
  const targets = await withOperator(options, (operator) => operator.listNoticeTargets());
  if (options.json) return printJson(targets);
  if (targets.length === 0) {
    return printNote('No notification targets. Add one: statecron notify add ops --mail …');
  }
  printTable(
    [
      'TARGET',
      'KIND',
      'OF EVERY JOB',
      'PER MINUTE',
      'WAIT',
      'GIVEN UP',
      'LAST SENT',
      'ADDRESS',
      'ERROR',
    ],
    targets.map((each) => [
      ...[each.name, each.kind, each.events.join(',') || '-', `${each.minuteMax}`],
      ...[`${each.waiting}`, `${each.givenUp}`, shortTime(each.lastSentAt), each.address],
      each.lastError ?? '-',
    ]),
  );
}

/** `notify log`. */
export async function listNoticesAction(
  target: string | null,
  options: Options & { readonly limit: number },
): Promise<void> {
  const asked = { target, noticesMax: options.limit };
  const notices = await withOperator(options, (operator) => operator.listNotices(asked));
  if (options.json) return printJson(notices);
  if (notices.length === 0) return printNote('There are no recent notifications.');
  printTable(
    ['WHEN', 'TARGET', 'WHAT', 'STATE', 'TRIES', 'ABOUT', 'ID', 'ERROR'],
    notices.map((each) => [
      ...[shortTime(each.createdAt), each.target, each.event, each.state.replace('_', ' ')],
      ...[`${each.tries}`, aboutOf(each.facts), each.id, each.lastError ?? '-'],
    ]),
  );
}

function aboutOf({ job, node, counts }: NoticeFacts): string {
  if (counts !== undefined) {
    return Object.entries(counts)
      .map(([event, count]) => `${count} ${event}`)
      .join(', ');
  }
  return job ?? node ?? '-';
}
