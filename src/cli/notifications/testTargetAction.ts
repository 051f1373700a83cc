import { setTimeout as delay } from 'node:timers/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { mailHint } from '../../domain/notifications/mailHint.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { printAnswer } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { formatInstant, localTimezone } from '../output/formatInstant.ts';
import { printLine, printNote } from '../output/print.ts';
import { untilText } from './muteActions.ts';

/** `notify test`: waits for what becomes of it, and ends with 1 when it could not be delivered. */
export async function testTargetAction(
  name: string,
  options: ClusterOptions & { readonly waitTimeout: number },
): Promise<void> {
  const send = async (operator: ApiOperator) => {
    const requested = await operator.testNotificationTarget(name);
    if (options.waitTimeout === 0) return { ...requested, sent: null };
    for (const line of await waitTexts(operator, name, options.waitTimeout)) printNote(line);
    printNote(`Its id: ${requested.id}`);
    await requireSent(operator, name, requested.id, options.waitTimeout);
    return { ...requested, sent: true };
  };
  await printAnswer(options, send, ({ id, sent }) => {
    printLine(sent ? `${name} has received it: ${id}` : `Requested: ${id}`);
  });
}

/** What is waited for and until when, and what may surprise about the target. */
async function waitTexts(operator: ApiOperator, name: string, timeoutMs: number) {
  const timezone = localTimezone();
  const { sessions } = await operator.listSessions();
  const mutes = await operator.listMutes();
  const mute = mutes.find((each) => each.kind === 'target' && each.name === name);
  const end = new Date(Date.now() + timeoutMs).toISOString();
  const until = `is waited for until ${formatInstant(end, timezone)}`;
  return [
    ...(mute === undefined
      ? []
      : [`${name} is muted ${untilText(mute, timezone)}. Tests are sent to it.`]),
    sessions.some(({ isLive }) => isLive)
      ? `A node sends it as soon as one can, which ${until}.`
      : `No node is live that could send it; one ${until}.`,
  ];
}

/** @throws OperatorError `test_failed` (1), `test_waits` (75). */
async function requireSent(
  operator: ApiOperator,
  target: string,
  id: string,
  timeoutMs: number,
): Promise<void> {
  const untilMs = performance.now() + timeoutMs;
  do {
    const log = await operator.listNotifications({ target, notificationsMax: 50 });
    const test = log.find((each) => each.id === id);
    // One of many is sent within a digest of them.
    if (test === undefined || test.state === 'sent' || test.state === 'digested') return;
    if (test.lastError !== null) throw failed(target, test.lastError);
    await delay(pollMs);
  } while (performance.now() < untilMs);
  throw await stillWaiting(operator, target);
}

function failed(target: string, error: string): OperatorError {
  const [, address] = / is not allowed: .* \((\S+)\)$/.exec(error) ?? [];
  const again = `It is tried again for a day; see: statecron notify log ${shellWord(target)}`;
  return new OperatorError({
    code: 'test_failed',
    message: `The test could not be delivered to ${JSON.stringify(target)}: ${error}.`,
    hint:
      address === undefined
        ? again
        : `Start the nodes with --webhook-allow ${address}, which lets it in. ${again}`,
  });
}

/** Nobody sends it: for lack of a node, or of a node with a mail server. */
async function stillWaiting(operator: ApiOperator, target: string): Promise<OperatorError> {
  const { sessions } = await operator.listSessions();
  const targets = await operator.listNotificationTargets();
  const isMail = targets.find(({ name }) => name === target)?.kind === 'mail';
  const isAnyLive = sessions.some(({ isLive }) => isLive);
  const start = 'Start one: statecron node --help';
  return new OperatorError({
    code: 'test_waits',
    message: isAnyLive ? 'No node has sent it in time.' : 'No node is live that could send it.',
    hint: isAnyLive
      ? isMail
        ? mailHint
        : `See: statecron notify log ${shellWord(target)}`
      : start,
    exitCode: exitCodes.tryAgain,
  });
}

const pollMs = 250;
