import type { NotificationEvent } from '../../domain/notifications/notification.ts';
import {
  minuteDefaults,
  type TargetKind,
  targetKinds,
} from '../../domain/notifications/notificationTarget.ts';
import { makeWebhookSecret } from '../../domain/notifications/webhookSecret.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { readSecret } from '../options/readSecret.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';

type Options = ClusterOptions & { readonly json?: boolean };

interface RuleOptions extends Options {
  readonly on?: NotificationEvent[] | false;
  readonly longRunning?: number | false;
  readonly perMinute?: number;
  readonly secretFile?: string;
}

/** `notify add`. */
export async function addTargetAction(
  name: string,
  options: RuleOptions & Partial<Record<TargetKind, string>>,
): Promise<void> {
  const given = targetKinds.flatMap((kind): [TargetKind, string][] => {
    const address = options[kind];
    return address === undefined ? [] : [[kind, address]];
  });
  const [first, ...others] = given;
  if (first === undefined || others.length > 0) {
    throw usageFault('One of --mail, --webhook and --ping is wanted.', seeAdd);
  }
  const [kind, address] = first;
  const isNew = kind === 'webhook' && options.secretFile === undefined;
  const secret = isNew ? makeWebhookSecret() : (secretOf(options) ?? null);
  const target = {
    ...{ name, kind, address, secret, events: options.on || [] },
    longMs: options.longRunning || null,
    minuteMax: options.perMinute ?? minuteDefaults[kind],
  };
  await withOperator(options, (operator) => operator.addNotificationTarget(target));
  if (options.json) return printJson({ name, secret: isNew ? secret : null });
  printLine(`Added ${name}.`);
  if (!isNew) return;
  printLine(`Secret: ${secret}`);
  printNote('Its messages are signed with this secret, which is not shown again.');
}

/** `notify edit`. */
export async function editTargetAction(
  name: string,
  options: RuleOptions & { readonly address?: string },
): Promise<void> {
  const { address, on, longRunning, perMinute } = options;
  const secret = secretOf(options);
  const change = {
    ...(address === undefined ? {} : { address }),
    ...(on === undefined ? {} : { events: on || [] }),
    ...(longRunning === undefined ? {} : { longMs: longRunning || null }),
    ...(perMinute === undefined ? {} : { minuteMax: perMinute }),
    ...(secret === undefined ? {} : { secret }),
  };
  if (Object.keys(change).length === 0) {
    throw usageFault('Nothing is to be changed.', 'See: statecron notify edit --help');
  }
  const edited = await withOperator(options, (operator) =>
    operator.editNotificationTarget(name, change),
  );
  if (options.json) return printJson(edited);
  printLine(edited.changed ? `Changed ${name}.` : `${name} is unchanged.`);
}

/** `notify remove`. */
export async function removeTargetAction(name: string, options: Options): Promise<void> {
  const removed = await withOperator(options, (operator) =>
    operator.removeNotificationTarget(name),
  );
  if (options.json) return printJson(removed);
  printLine(`Removed ${name}.`);
}

/** `notify test`. */
export async function testTargetAction(name: string, options: Options): Promise<void> {
  const test = await withOperator(options, (operator) => operator.testNotificationTarget(name));
  if (options.json) return printJson(test);
  printLine(`A node sends it as soon as one can: ${test.id}`);
  printNote(`Mail is sent by nodes that have --smtp-url. See: statecron notify log ${name}`);
}

/** `notify retry`. */
export async function retryNotificationsAction(name: string, options: Options): Promise<void> {
  const retried = await withOperator(options, (operator) => operator.retryNotifications(name));
  if (options.json) return printJson(retried);
  const { notifications } = retried;
  const many = `${notifications} ${notifications === 1 ? 'notification is' : 'notifications are'}`;
  printLine(notifications === 0 ? 'Nothing was given up.' : `${many} tried again.`);
}

function secretOf({ secretFile }: RuleOptions): string | undefined {
  return secretFile === undefined ? undefined : readSecret(secretFile, 'the secret');
}

const seeAdd = 'See: statecron notify add --help';
