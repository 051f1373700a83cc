import { isIP } from 'node:net';
import { AddressRanges } from '../../domain/access/addressRanges.ts';
import { FieldError } from '../../domain/errors/errors.ts';
import { mailHint } from '../../domain/notifications/mailHint.ts';
import type { NotificationEvent } from '../../domain/notifications/notification.ts';
import {
  makeWebhookSecret,
  minuteDefaults,
  type TargetKind,
  targetKinds,
} from '../../domain/notifications/notificationTarget.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { makeAddressRules } from '../../exec/notifications/addressRules.ts';
import type { Answer } from '../../http/contract/apiContract.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { targetMissing } from '../../store/notifications/targets/requireTargets.ts';
import { printAnswer, printList, withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { readSecret } from '../options/readSecret.ts';
import { localTimezone } from '../output/formatInstant.ts';
import { printWarning } from '../output/lines/printWarning.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { instantCell, stateCell } from '../output/table/cells.ts';
import type { TableOptions } from '../output/table/printTable.ts';

interface RuleOptions extends ClusterOptions {
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
    throw usageFault('One of --mail, --webhook and --ping is required.', seeAdd);
  }
  const [kind, address] = first;
  const isNew = kind === 'webhook' && options.secretFile === undefined;
  const secret = isNew ? makeWebhookSecret() : (secretOf(options) ?? null);
  const target = {
    ...{ name, kind, address, secret, events: options.on || [] },
    longMs: options.longRunning || null,
    minuteMax: options.perMinute ?? minuteDefaults[kind],
  };
  const warning = await withOperator(options, async (operator) => {
    await operator.addNotificationTarget(target).catch(inFlags(kind));
    return kind === 'mail' ? mailWarning(operator, name) : insideWarning(name, address);
  });
  if (warning !== null) printWarning(warning);
  if (options.json) return printJson({ name, secret: isNew ? secret : null });
  printLine(`Added ${name}.`);
  if (!isNew) return;
  printLine(`Secret: ${secret}`);
  printNote('Its messages are signed with this secret, which is not shown again.');
}

/** Which nodes have a mail server they alone know: that one has is known once a mail was sent. */
async function mailWarning(operator: ApiOperator, name: string): Promise<string | null> {
  // The target is added, whether or not this can be read.
  const targets = await operator.listNotificationTargets().catch(() => []);
  if (targets.some(({ kind, lastSentAt }) => kind === 'mail' && lastSentAt !== null)) return null;
  return `no node has sent a mail yet. ${mailHint}. ${tryIt(name)}`;
}

/** An address that nodes send nothing to unless it is allowed: whether it is they alone know. */
function insideWarning(name: string, url: string): string | null {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
  const address = host === 'localhost' ? '127.0.0.1' : host;
  if (isIP(address) === 0) return null;
  const why = makeAddressRules().whyDenied(address);
  if (why === null) return null;
  const own = loopback.has(address) ? ' To each node it is its own machine.' : '';
  return (
    `nodes send nothing to ${host} (${why}) but those that are started with ` +
    `--webhook-allow ${address}.${own} ${tryIt(name)}`
  );
}

const loopback = new AddressRanges(['127.0.0.0/8', '::1']);

function tryIt(name: string): string {
  return `Try it: statecron notify test ${shellWord(name)}`;
}

/** Throws an error again, in the words of the flags; the address is of that one. */
function inFlags(address: TargetKind | 'address'): (error: unknown) => never {
  const flags: Readonly<Record<string, string>> = { ...ruleFlags, address };
  return (error) => {
    const [first] = error instanceof FieldError ? error.errors : [];
    const flag = flags[first?.field ?? ''];
    if (!(error instanceof FieldError) || first === undefined || flag === undefined) throw error;
    const { code, errors, exitCode, hint } = error;
    const message = `--${flag}: ${first.message}.`;
    throw new FieldError({ code, errors, exitCode, hint, message, cause: error });
  };
}

const ruleFlags = {
  events: 'on',
  longMs: 'long-running',
  minuteMax: 'per-minute',
  secret: 'secret-file',
};

/** `notify edit`. */
export async function editTargetAction(
  name: string,
  options: RuleOptions & { readonly address?: string },
): Promise<void> {
  const { address, on, longRunning, perMinute } = options;
  const change = withoutUndefined({
    address,
    events: on === undefined ? on : on || [],
    longMs: longRunning === undefined ? longRunning : longRunning || null,
    minuteMax: perMinute,
    secret: secretOf(options),
  });
  if (Object.keys(change).length === 0) {
    throw usageFault('Nothing to change is given.', 'See: statecron notify edit --help');
  }
  await printAnswer(
    options,
    (operator) => operator.editNotificationTarget(name, change).catch(inFlags('address')),
    ({ changed }) => printLine(changed ? `Changed ${name}.` : `${name} is unchanged.`),
  );
  const warning = address === undefined ? null : insideWarning(name, address);
  if (warning !== null) printWarning(warning);
}

/** `notify remove`. */
export async function removeTargetAction(name: string, options: ClusterOptions): Promise<void> {
  const send = (operator: ApiOperator) => operator.removeNotificationTarget(name);
  await printAnswer(options, send, () => printLine(`Removed ${name}.`));
}

/** `notify retry`. */
export async function retryNotificationsAction(
  name: string,
  options: ClusterOptions,
): Promise<void> {
  const send = (operator: ApiOperator) => operator.retryNotifications(name);
  await printAnswer(options, send, ({ notifications: count }) => {
    const which = `${count} ${count === 1 ? 'notification is' : 'notifications are'}`;
    printLine(count === 0 ? 'Nothing was given up.' : `${which} tried again.`);
  });
}

function secretOf({ secretFile }: RuleOptions): string | undefined {
  return secretFile === undefined ? undefined : readSecret(secretFile, 'the secret');
}

const seeAdd = 'See: statecron notify add --help';

/** `notify list`. */
export async function listTargetsAction(options: ClusterOptions & TableOptions): Promise<void> {
  const zone = localTimezone();
  await printList(options, {
    read: (operator) => operator.listNotificationTargets(),
    empty: 'No notification targets. Add one: statecron notify add ops --mail …',
    columns: [
      { heading: 'TARGET', of: ({ name }) => name, cutTo: 16 },
      { heading: 'KIND', of: ({ kind }) => kind, rank: 2 },
      { heading: 'OF EVERY JOB', of: ({ events }) => events.join(',') || '-', rank: 6 },
      { heading: 'PER MINUTE', of: ({ minuteMax }) => `${minuteMax}`, rank: 7 },
      { heading: 'WAIT', of: ({ waiting }) => `${waiting}` },
      { heading: 'GIVEN UP', of: ({ givenUp }) => `${givenUp}` },
      { heading: 'LAST SENT', of: ({ lastSentAt }) => instantCell(lastSentAt, zone), rank: 3 },
      { heading: 'ADDRESS', of: ({ address }) => address, rank: 4, cutTo: 16 },
      { heading: 'ERROR', of: ({ lastError }) => lastError ?? '-', rank: 1, cutTo: 16 },
    ],
  });
}

/** `notify log`. */
export async function listNotificationsAction(
  target: string | undefined,
  options: ClusterOptions & TableOptions & { readonly limit: number },
): Promise<void> {
  const zone = localTimezone();
  await printList(options, {
    read: (operator) =>
      operator.listNotifications({ target: target ?? null, notificationsMax: options.limit }),
    requireSubject: async (operator) => target !== undefined && requireTarget(operator, target),
    limit: options.limit,
    empty: 'There are no recent notifications.',
    columns: [
      { heading: 'WHEN', of: ({ createdAt }) => instantCell(createdAt, zone) },
      { heading: 'TARGET', of: ({ target }) => target, cutTo: 12 },
      { heading: 'WHAT', of: ({ event }) => event },
      { heading: 'STATE', of: ({ state }) => stateCell(state.replace('_', ' ')) },
      { heading: 'TRIES', of: ({ tries }) => `${tries}`, rank: 3 },
      { heading: 'ABOUT', of: ({ facts }) => aboutOf(facts), rank: 1, cutTo: 12 },
      { heading: 'ID', of: ({ id }) => id, rank: 4 },
      { heading: 'ERROR', of: ({ lastError }) => lastError ?? '-', rank: 2, cutTo: 16 },
    ],
  });
}

async function requireTarget(operator: ApiOperator, target: string): Promise<void> {
  const targets = await operator.listNotificationTargets();
  if (!targets.some(({ name }) => name === target)) throw targetMissing(target);
}

type Facts = Answer<'GET /notify/log'>['items'][number]['facts'];

function aboutOf({ job, node, counts }: Facts): string {
  if (counts !== undefined) {
    return Object.entries(counts)
      .map(([event, count]) => `${count} ${event}`)
      .join(', ');
  }
  return job ?? node ?? '-';
}
