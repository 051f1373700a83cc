import { formatDuration } from '../time/duration.ts';
import type { NotificationFacts, NotificationKind, NotificationMessage } from './notification.ts';

/** A notification for people: a line, and what there is to know below it. */
interface NotificationText {
  readonly subject: string;
  readonly body: string;
}

/** The same for every kind of target that people read. */
export function notificationText({ id, event, facts }: NotificationMessage): NotificationText {
  const subject = headlines[event]?.(facts, facts.job ?? 'a job') ?? event;
  const lines = event === 'digest' ? digestLines(facts) : factLines(facts);
  return { subject, body: [subject, '', ...lines, '', `Notification ${id}`, ''].join('\n') };
}

/** `job`: its name, for notifications that are about one. */
const headlines: Record<NotificationKind, (facts: NotificationFacts, job: string) => string> = {
  failure: (facts, job) =>
    `${job} ${(facts.result ?? 'failed').replaceAll('_', ' ')}${exitOf(facts)}`,
  recovery: (_, job) => `${job} succeeded again`,
  missed: ({ ticks = 1 }, job) => `${job} missed ${ticks === 1 ? 'a tick' : `${ticks} ticks`}`,
  'long-running': ({ longMs = 0 }, job) => `${job} has run for more than ${formatDuration(longMs)}`,
  'node-lost': ({ job, node }) =>
    job === undefined
      ? `the node ${node ?? '?'} was lost`
      : `${job} was lost with its node${node === undefined ? '' : ` ${node}`}`,
  start: (_, job) => `${job} started`,
  success: (_, job) => `${job} succeeded`,
  digest: (facts) => `${total(facts)} notifications at once`,
  test: () => 'a test of statecron, sent by hand',
};

function exitOf({ exitCode, signal }: NotificationFacts): string {
  if (signal !== undefined && signal !== null) return ` (${signal})`;
  return exitCode === undefined || exitCode === null ? '' : ` (exit ${exitCode})`;
}

function total({ counts = {} }: NotificationFacts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

const labels: Partial<Record<keyof NotificationFacts, string>> = {
  job: 'Job',
  group: 'Group',
  node: 'Node',
  result: 'Result',
  exitCode: 'Exit code',
  signal: 'Signal',
  reason: 'Reason',
  attempt: 'Attempt',
  trigger: 'Trigger',
  scheduledFor: 'Tick',
  scheduledUntil: 'Last tick',
  ticks: 'Ticks',
  startedAt: 'Started',
  endedAt: 'Ended',
  launchId: 'Run',
  sessionId: 'Session',
};

function factLines(facts: NotificationFacts): string[] {
  const shown = Object.entries(labels).flatMap(([field, label]) => {
    const value = facts[field as keyof NotificationFacts];
    return value === undefined || value === null ? [] : [`${`${label}:`.padEnd(11)} ${value}`];
  });
  const { launchId } = facts;
  return launchId === undefined ? shown : [...shown, '', `See: statecron run show ${launchId}`];
}

function digestLines(facts: NotificationFacts): string[] {
  const { counts = {}, first = [] } = facts;
  const rest = total(facts) - first.length;
  return [
    'More came than this target takes in a minute, so they come in one message.',
    '',
    ...Object.entries(counts).map(([event, count]) => `${event}: ${count}`),
    '',
    ...first.map(({ event, job, node, launchId, result }) =>
      [event, job, node, result, launchId].filter((part) => part !== undefined).join('  '),
    ),
    ...(rest > 0 ? [`and ${rest} more; see: statecron notify log`] : []),
  ];
}
