import { exitCodes, OperatorError } from '../../../domain/errors/errors.ts';
import { FieldError } from '../../../domain/errors/fieldError.ts';
import {
  checkNotificationTarget,
  type NotificationTarget,
  targetBounds,
} from '../../../domain/notifications/notificationTarget.ts';
import { writeAudit } from '../../audit/writeAudit.ts';
import type { Channel, ChannelConnection } from '../../connection/channel.ts';
import type { Parameter } from '../../connection/queryable.ts';
import { changeOnce } from '../../idempotency/changeOnce.ts';
import { asciiText } from '../../rows/asciiText.ts';
import { integer, only, rowOf } from '../../rows/row.ts';
import { selectTarget, targetColumns } from '../targetColumns.ts';
import { findUsers } from './findUsers.ts';
import { targetMissing } from './requireTargets.ts';

const look = 'statecron notify list';

/**
 * Adds a target of notifications. Nodes follow about a second later what it is to be told of every
 * job.
 * @throws OperatorError `bad_target`, which names the fields; `target_exists`, `too_many_targets`,
 * and what `settleOutcome` throws.
 */
export async function addNotificationTarget(
  channel: Channel,
  target: NotificationTarget,
): Promise<void> {
  requireSound(target);
  const { name } = target;
  await changeOnce<null>(channel, {
    ...{ name: 'addNotificationTarget', isIdempotent: false, look },
    work: async (connection) => {
      if ((await readTarget(connection, name)) !== null) return { refuse: 'it is there' };
      const [targets = 0] = await connection.rows(only(integer), countTargets);
      if (targets >= targetBounds.targetsMax) throw tooMany();
      await connection.change(insertTarget, [name, ...valuesOf(target)]);
      await audit(connection, 'notify.add', null, target);
      return { commit: null };
    },
    answers: { action: 'notify.add', target: name },
    refused: () =>
      new OperatorError({
        code: 'target_exists',
        message: `There is a notification target ${JSON.stringify(name)} already.`,
        hint: 'Take another name, or change that one: statecron notify edit',
      }),
  });
}

/** What a change of a target says; what it does not say stays. */
type TargetChange = Partial<Omit<NotificationTarget, 'name' | 'kind'>>;

/**
 * Changes a target; what waits for it goes where it points then. Resolves to whether that was a
 * change.
 * @throws OperatorError `bad_target`, `target_missing`, and what `settleOutcome` throws.
 */
export async function editNotificationTarget(
  channel: Channel,
  name: string,
  change: TargetChange,
): Promise<boolean> {
  return changeOnce<boolean, NotificationTarget | null>(channel, {
    ...{ name: 'editNotificationTarget', isIdempotent: true, look },
    lock: (connection) => readTarget(connection, name),
    work: async (connection, before) => {
      if (before === null) return { refuse: 'it is missing' };
      const after = { ...before, ...change };
      requireSound(after);
      if (JSON.stringify(after) === JSON.stringify(before)) return { commit: false };
      await connection.change(updateTarget, [...valuesOf(after), name]);
      await audit(connection, 'notify.edit', before, after);
      return { commit: true };
    },
    answers: { action: 'notify.edit', target: name },
    refused: () => targetMissing(name),
  });
}

/**
 * Removes a target with what waits for it.
 * @throws OperatorError `target_missing`; `target_named` when a job still names it.
 */
export async function removeNotificationTarget(channel: Channel, name: string): Promise<void> {
  await changeOnce<null, NotificationTarget | null>(channel, {
    ...{ name: 'removeNotificationTarget', isIdempotent: true, look },
    lock: (connection) => readTarget(connection, name),
    work: async (connection, before) => {
      if (before === null) return { refuse: 'it is missing' };
      const users = await findUsers(connection, name);
      if (users.length > 0) throw stillNamed(name, users);
      await connection.change(deleteTarget, [name]);
      await connection.change(deleteWaiting, [name]);
      await audit(connection, 'notify.remove', before, null);
      return { commit: null };
    },
    answers: { action: 'notify.remove', target: name },
    refused: () => targetMissing(name),
  });
}

/** Locked, so that two changes follow one another. */
async function readTarget(
  connection: ChannelConnection,
  name: string,
): Promise<NotificationTarget | null> {
  const parameters = [asciiText(name)];
  const [target = null] = await connection.rows(rowOf(targetColumns), lockTarget, parameters);
  return target;
}

function valuesOf({
  kind,
  address,
  secret,
  events,
  longMs,
  minuteMax,
}: NotificationTarget): Parameter[] {
  return [kind, address, secret, events.join(','), longMs, minuteMax];
}

/** The secret is nobody's to read, in the audit log either. */
function audit(
  connection: ChannelConnection,
  action: string,
  before: NotificationTarget | null,
  after: NotificationTarget | null,
): Promise<void> {
  const shown = (target: NotificationTarget | null) =>
    target === null ? null : { ...target, secret: target.secret === null ? null : '***' };
  const name = (after ?? before)?.name ?? '';
  const change = { before: shown(before), after: shown(after) };
  return writeAudit(connection, { action, target: name, group: null, ...change });
}

function requireSound(target: NotificationTarget): void {
  const faults = checkNotificationTarget(target);
  const [first] = faults;
  if (first === undefined) return;
  throw new FieldError({
    code: 'bad_target',
    message: `${first.field}: ${first.message}.`,
    hint: 'See: statecron notify add --help',
    exitCode: exitCodes.usage,
    errors: faults,
  });
}

function tooMany(): OperatorError {
  return new OperatorError({
    code: 'too_many_targets',
    message: `There are ${targetBounds.targetsMax} notification targets already.`,
    hint: 'Remove one that nobody needs: statecron notify remove',
  });
}

function stillNamed(name: string, users: readonly string[]): OperatorError {
  const jobs = users.map((job) => JSON.stringify(job)).join(', ');
  return new OperatorError({
    code: 'target_named',
    message: `The target ${JSON.stringify(name)} is still named by ${jobs}.`,
    hint: 'Have them name another one: statecron job edit … --notify-to',
  });
}

const countTargets =
  '/* addNotificationTarget count */ SELECT COUNT(*) AS targets FROM notice_target';
const lockTarget = `/* readTarget */ SELECT ${selectTarget} FROM notice_target
  WHERE target_name = ? FOR UPDATE`;
const insertTarget = `/* addNotificationTarget */ INSERT INTO notice_target
    (target_name, kind, address,
    secret, events, long_ms, minute_max, until_at, minute_from, rest_until, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, NOW(3), NOW(3), NOW(3), NOW(3))`;
const updateTarget = `/* editNotificationTarget */ UPDATE notice_target
  SET kind = ?, address = ?, secret = ?, events = ?, long_ms = ?, minute_max = ?,
    failures = 0, rest_until = NOW(3), last_error = NULL
  WHERE target_name = ?`;
const deleteTarget =
  '/* removeNotificationTarget */ DELETE FROM notice_target WHERE target_name = ?';
const deleteWaiting = `/* removeNotificationTarget waiting */ DELETE FROM notice
  WHERE target_name = ? AND state = 'waiting'`;
