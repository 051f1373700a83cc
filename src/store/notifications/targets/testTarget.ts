import { randomBytes } from 'node:crypto';
import { notificationId } from '../../../domain/notifications/notificationId.ts';
import { writeAudit } from '../../audit/writeAudit.ts';
import type { Channel } from '../../connection/channel.ts';
import { changeOnce } from '../../idempotency/changeOnce.ts';
import { asciiText } from '../../rows/asciiText.ts';
import { only, text } from '../../rows/row.ts';
import { insertNotifications } from '../insertNotifications.ts';
import { targetMissing } from './requireTargets.ts';

/**
 * Puts a notification into the outbox that says that it is a test; whichever node can sends it.
 * Resolves to its id.
 * @throws OperatorError `target_missing`, and what `settleOutcome` throws.
 */
export async function testNotificationTarget(channel: Channel, name: string): Promise<string> {
  const subject = `test ${randomBytes(12).toString('hex')}`;
  const draft = { target: name, event: 'test' as const, subject };
  const id = notificationId(draft);
  const change = { action: 'notify.test', target: name };
  return changeOnce<string>(channel, {
    ...{ name: 'testNotificationTarget', look: 'statecron notify log' },
    work: async (connection) => {
      const [found] = await connection.rows(only(text), selectTarget, [asciiText(name)]);
      if (found === undefined) return { refuse: 'it is missing' };
      await insertNotifications(connection, [{ ...draft, facts: {} }]);
      await writeAudit(connection, { ...change, after: { id } });
      return { commit: id };
    },
    answers: change,
    refused: () => targetMissing(name),
  });
}

/**
 * Has what was given up tried again, at once. Resolves to how many notifications that are.
 * @throws OperatorError `target_missing`, and what `settleOutcome` throws.
 */
export async function retryNotifications(channel: Channel, name: string): Promise<number> {
  const change = { action: 'notify.retry', target: name };
  return changeOnce<number, number>(channel, {
    ...{ name: 'retryNotifications', look: 'statecron notify log' },
    lock: (connection) => connection.change(wakeTarget, [asciiText(name)]),
    work: async (connection, found) => {
      if (found !== 1) return { refuse: 'it is missing' };
      const notifications = await connection.change(wakeNotifications, [name, retriedMax]);
      await writeAudit(connection, { ...change, after: { notifications } });
      return { commit: notifications };
    },
    answers: change,
    refused: () => targetMissing(name),
  });
}

/** In one transaction; called again, the others follow. */
const retriedMax = 10_000;

const selectTarget = `/* testNotificationTarget */ SELECT target_name FROM notice_target
  WHERE target_name = ?`;
const wakeTarget = `/* retryNotifications target */ UPDATE notice_target
  SET failures = 0, rest_until = NOW(3) WHERE target_name = ?`;
const wakeNotifications = `/* retryNotifications */ UPDATE notice
  SET state = 'waiting', tries = IF(tries = 0, 0, 1), ended_at = NULL, since_at = NOW(3),
    due_at = NOW(3)
  WHERE target_name = ? AND state = 'given_up' ORDER BY notice_id LIMIT ?`;
