import type { Muted } from '../../../domain/notifications/mute.ts';
import { writeAudit } from '../../audit/writeAudit.ts';
import type { Channel, ChannelConnection } from '../../connection/channel.ts';
import { dateOf } from '../../connection/queryable.ts';
import { jobGroupMissing } from '../../groups/listGroups.ts';
import { changeOnce } from '../../idempotency/changeOnce.ts';
import type { PauseEnd } from '../../jobs/changes/changeJob.ts';
import { endOver } from '../../jobs/changes/keepResume.ts';
import { jobMissing } from '../../jobs/findJob.ts';
import { asciiText } from '../../rows/asciiText.ts';
import { each, instantMs, integer, nullable, rowOf, text } from '../../rows/row.ts';
import { targetMissing } from '../targets/requireTargets.ts';

/** Until when something is muted, and why; null: the note stays. */
interface MuteOptions {
  readonly end: NonNullable<PauseEnd>;
  readonly note: string | null;
}

/** What was muted or unmuted, as it is now. */
export interface MuteChanged extends Muted {
  /** Null: it is not muted. */
  readonly mute: Omit<MuteRow, 'jobId'> | null;
  readonly isChanged: boolean;
}

/**
 * Holds back what would be sent about a job, about the jobs of a group, or to a target, until then.
 * A repeat moves the end. Nodes follow at their next look, about a second later.
 * @throws OperatorError `job_missing`, `job_group_missing`, `target_missing`, and what
 * `settleOutcome` throws; FieldError `mute_over` of an end that is over by the database's clock.
 */
export function muteNotifications(
  channel: Channel,
  muted: Muted,
  { end, note }: MuteOptions,
): Promise<MuteChanged> {
  return change(channel, muted, mute, async (connection, { before, found }) => {
    const nowMs = await connection.readNow();
    const untilMs = 'untilMs' in end ? end.untilMs : nowMs + end.forMs;
    if (untilMs <= nowMs) throw endOver('mute_over', 'until', untilMs);
    const { jobId } = requireFound(muted, found);
    const kept = before?.jobId === jobId ? before : null;
    const by = connection.by?.actor ?? '';
    const after = { sinceMs: kept?.sinceMs ?? nowMs, untilMs, by, note: note ?? kept?.note ?? '' };
    if (kept?.untilMs === untilMs && kept.note === after.note) return kept;
    const times = [dateOf(after.sinceMs), dateOf(untilMs)];
    const key = [muted.kind, muted.name];
    await connection.change(writeMute, [...key, jobId, ...times, by, after.note]);
    return { ...after, jobId };
  });
}

/**
 * Lets notifications through again; what was held back stays so.
 * @throws OperatorError as `muteNotifications`, of what is neither muted nor there.
 */
export function unmuteNotifications(channel: Channel, muted: Muted): Promise<MuteChanged> {
  return change(channel, muted, unmute, async (connection, { before, found }) => {
    if (before === null) requireFound(muted, found);
    else await connection.change(endMute, [muted.kind, muted.name]);
    return null;
  });
}

/** The names of a change: of its statements, and in the audit log. */
const mute = { name: 'muteNotifications', action: 'notify.mute' };
const unmute = { name: 'unmuteNotifications', action: 'notify.unmute' };

/** What there is of the name, and its mute in force. */
interface Present {
  readonly before: MuteRow | null;
  readonly found: Found | null;
}

function change(
  channel: Channel,
  muted: Muted,
  { action, name }: typeof mute,
  work: (connection: ChannelConnection, present: Present) => Promise<MuteRow | null>,
): Promise<MuteChanged> {
  const { kind } = muted;
  const key = [kind, muted.name];
  return changeOnce<MuteChanged, MuteRow | null>(channel, {
    ...{ name, look: 'statecron notify mutes' },
    lock: async (connection) => (await connection.rows(muteRow, lockMute, key))[0] ?? null,
    work: async (connection, before) => {
      const found = await findPresent(connection, muted);
      const after = await work(connection, { before, found });
      const isChanged = after !== before;
      const answer = { ...muted, mute: shown(after), isChanged };
      if (!isChanged) return { commit: answer };
      const values = { before: audited(muted, before), after: audited(muted, after) };
      const group = found?.group ?? null;
      await writeAudit(connection, { action, target: muted.name, group, ...values });
      return { commit: answer };
    },
    answers: { action, target: muted.name },
  });
}

function shown(row: MuteRow | null): MuteChanged['mute'] {
  if (row === null) return null;
  const { jobId: _, ...mute } = row;
  return mute;
}

function audited({ kind }: Muted, row: MuteRow | null) {
  if (row === null) return { kind };
  return { kind, until: new Date(row.untilMs).toISOString(), note: row.note };
}

type Found = ReturnType<typeof foundRow>;
type MuteRow = ReturnType<typeof muteRow>;

/** Null: there is no such job or target, or no job in the group. */
async function findPresent(
  connection: ChannelConnection,
  { kind, name }: Muted,
): Promise<Found | null> {
  if (kind === 'group' && name === 'default') return { name, jobId: 0, group: name };
  const key = kind === 'target' ? asciiText(name) : name;
  const [found] = await connection.rows(foundRow, selectFound[kind], [key]);
  // What only the database takes for the name, with blanks behind it, is none.
  return found?.name === name ? found : null;
}

/** @throws OperatorError that says what is not there. */
function requireFound({ kind, name }: Muted, found: Found | null): Found {
  if (found !== null) return found;
  if (kind === 'job') throw jobMissing(name);
  throw kind === 'target' ? targetMissing(name) : jobGroupMissing(name);
}

const muteRow = rowOf({
  ...each(instantMs, 'sinceMs', 'untilMs'),
  ...each(text, 'by', 'note'),
  jobId: integer,
});
const lockMute = `/* readMute */ SELECT since_at AS since, until_at AS until, muted_by AS 'by',
    mute_note AS note, job_id
  FROM notice_mute WHERE muted_kind = ? AND muted_name = ? AND until_at > NOW(3) FOR UPDATE`;
const writeMute = `/* muteNotifications */ INSERT INTO notice_mute
    (muted_kind, muted_name, job_id, since_at, until_at, muted_by, mute_note)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON DUPLICATE KEY UPDATE job_id = VALUES(job_id), since_at = VALUES(since_at),
    until_at = VALUES(until_at), muted_by = VALUES(muted_by), mute_note = VALUES(mute_note)`;
const endMute = `/* unmuteNotifications */ UPDATE notice_mute SET until_at = NOW(3)
  WHERE muted_kind = ? AND muted_name = ? AND until_at > NOW(3)`;
const foundRow = rowOf({ name: text, jobId: integer, group: nullable(text) });
const selectJob = `/* findPresent job */ SELECT job.name, job.job_id,
    IFNULL(NULLIF(target.job_group, ''), 'default') AS 'group'
  FROM job LEFT JOIN target ON target.target_id = job.target_id
  WHERE job.name = ? AND job.removed_no = 0`;
const selectGroup = `/* findPresent group */ SELECT target.job_group AS name, 0 AS job_id,
    target.job_group AS 'group'
  FROM target JOIN job ON job.target_id = target.target_id AND job.removed_no = 0
  WHERE target.job_group = ? LIMIT 1`;
const selectTarget = `/* findPresent target */ SELECT target_name AS name, 0 AS job_id,
    NULL AS 'group'
  FROM notice_target WHERE target_name = ?`;
const selectFound = { job: selectJob, group: selectGroup, target: selectTarget };
