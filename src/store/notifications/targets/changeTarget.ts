import { exitCodes, FieldError, OperatorError } from '../../../domain/errors/errors.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import {
  checkNotificationTarget,
  type NotificationTarget,
  targetBounds,
} from '../../../domain/notifications/notificationTarget.ts';
import { writeAudit } from '../../audit/writeAudit.ts';
import type { Channel, ChannelConnection } from '../../connection/channel.ts';
import type { Parameter, Queryable } from '../../connection/queryable.ts';
import { changeOnce } from '../../idempotency/changeOnce.ts';
import { asciiText } from '../../rows/asciiText.ts';
import { escapeLike } from '../../rows/escapeLike.ts';
import { integer, jsonOf, only, rowOf, text } from '../../rows/row.ts';
import { selectTarget, targetColumns } from '../notificationCache.ts';
import { targetMissing } from './requireTargets.ts';

const look = 'statecron notify list';

/**
 * Adds a target of notifications. Nodes follow about a second later what it is to be notified of
 * for every job.
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
        hint: 'Take another name, or change that one; see: statecron notify edit --help',
      }),
  });
}

/** The fields that a change sets; all others stay. */
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
  return changeTarget(channel, name, edit, async (connection, before) => {
    const after = { ...before, ...change };
    requireSound(after);
    if (JSON.stringify(after) === JSON.stringify(before)) return false;
    await connection.change(updateTarget, [...valuesOf(after), name]);
    await audit(connection, edit.action, before, after);
    return true;
  });
}

/**
 * Removes a target with what waits for it, and its mute.
 * @throws OperatorError `target_missing`; `target_named` when a job still names it.
 */
export async function removeNotificationTarget(channel: Channel, name: string): Promise<void> {
  await changeTarget(channel, name, remove, async (connection, before) => {
    const users = await findUsers(connection, name);
    if (users.length > 0) throw stillNamed(name, users);
    await connection.change(deleteTarget, [name]);
    await connection.change(deleteWaiting, [name]);
    await connection.change(deleteMute, [name]);
    await audit(connection, remove.action, before, null);
    return null;
  });
}

/** The names of a change: of its statements, and in the audit log. */
const edit = { name: 'editNotificationTarget', action: 'notify.edit' };
const remove = { name: 'removeNotificationTarget', action: 'notify.remove' };

/** Changes a target that is there, in one transaction. */
function changeTarget<T>(
  channel: Channel,
  target: string,
  { name, action }: typeof edit,
  work: (connection: ChannelConnection, before: NotificationTarget) => Promise<T>,
): Promise<T> {
  return changeOnce<T, NotificationTarget | null>(channel, {
    ...{ name, look },
    lock: (connection) => readTarget(connection, target),
    work: async (connection, before) => {
      if (before === null) return { refuse: 'it is missing' };
      return { commit: await work(connection, before) };
    },
    answers: { action, target },
    refused: () => targetMissing(target),
  });
}

/** Locked, so that two changes follow one another. */
async function readTarget(connection: ChannelConnection, name: string) {
  const key = [asciiText(name)];
  const [target = null] = await connection.rows(rowOf(targetColumns), lockTarget, key);
  return target;
}

function valuesOf(target: NotificationTarget): Parameter[] {
  const { kind, address, secret, events, longMs, minuteMax } = target;
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
  const target = (after ?? before)?.name ?? '';
  return writeAudit(connection, { action, target, before: shown(before), after: shown(after) });
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
    hint: 'Have them name another, or none: statecron job edit … --notify-to, --no-notify-to',
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
const deleteMute = `/* removeNotificationTarget mute */ DELETE FROM notice_mute
  WHERE muted_kind = 'target' AND muted_name = ?`;
const deleteWaiting = `/* removeNotificationTarget waiting */ DELETE FROM notice
  WHERE target_name = ? AND state = 'waiting'`;

const usersMax = 5;

/**
 * Some of the jobs whose definitions in force name a target. The text is searched first, as it
 * stands in JSON, since a cluster may have very many jobs and few that say who is notified.
 */
async function findUsers(database: Queryable, target: string): Promise<string[]> {
  const jobs = await database.rows(userJob, selectUsers, [`%"notify":%"${escapeLike(target)}"%`]);
  const users = jobs.filter(({ definition: { notify } }) => {
    return [...(notify?.to ?? []), ...(notify?.ping ?? [])].includes(target);
  });
  return users.slice(0, usersMax).map(({ name }) => name);
}

const userJob = rowOf({ name: text, definition: jsonOf<JobDefinition>() });
const selectUsers = `/* findUsers */ SELECT job.name, job_revision.definition
  FROM job JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE job.removed_no = 0 AND job_revision.definition LIKE ? ORDER BY job.name LIMIT 1000`;
