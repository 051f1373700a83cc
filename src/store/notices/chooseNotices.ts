import type { NoticeFacts, NoticeKind, NoticeMessage } from '../../domain/notices/notice.ts';
import type { NoticeTarget } from '../../domain/notices/noticeTarget.ts';
import type { Channel, Row } from '../channel.ts';
import { collapseNotices } from './collapseNotices.ts';

/** How many are looked at; what is more is due at the next look. */
const lookedAtMax = 2_000;
/** How many are sent before it is written down what became of them. */
const batchMax = 10;
/** A start that is told later than this says nothing any more: its end has come, or will. */
const startSecondsMax = 60;

/**
 * What a target is to be sent now, at most so many messages as it has room for. The target is this
 * node's. What has nothing to say any more is dropped; what is more than the target takes comes
 * together in one digest, or, of pings, down to the latest of each job.
 */
export async function chooseNotices(
  channel: Channel,
  target: NoticeTarget,
  room: number,
): Promise<NoticeMessage[]> {
  const rows = await channel.query<Row[]>(selectDue, [target.name, lookedAtMax]);
  const ended = await endedLaunches(channel, rows);
  const [stale, due] = partition(rows, (row) => isStale(row, ended));
  const superseded =
    target.kind === 'ping' && due.length > room ? supersededOf(due) : new Set<Row>();
  await drop(channel, [...stale, ...superseded]);
  const left = due.filter((row) => !superseded.has(row));
  if (target.kind === 'ping' || left.length <= room) {
    return left.slice(0, Math.min(room, batchMax)).map(messageOf);
  }
  const alone = left.filter((row) => (row.tries as number) > 0 || row.event === 'digest');
  const fresh = left.filter((row) => !alone.includes(row));
  // What was tried before may have come through: it keeps its id, and is never told in another.
  const singles = [...alone, ...fresh].slice(0, Math.max(0, room - 1));
  const rest = fresh.filter((row) => !singles.includes(row));
  const digest = await collapseNotices(channel, target.name, rest.map(messageOf));
  return [...singles.slice(0, batchMax - 1).map(messageOf), ...(digest === null ? [] : [digest])];
}

function messageOf(row: Row): NoticeMessage {
  const event = row.event as NoticeKind;
  const createdMs = (row.created_at as Date).getTime();
  const facts = JSON.parse(row.facts as string) as NoticeFacts;
  // It was written by the transaction that started the launch.
  const isOfStart = event === 'start' || event === 'long-running';
  const startedAt = new Date(createdMs).toISOString();
  return {
    noticeId: row.notice_id as number,
    id: row.stable_id as string,
    event,
    facts: isOfStart ? { ...facts, startedAt } : facts,
    tries: row.tries as number,
    createdMs,
  };
}

/** Of the launches that were to be told of as long, those that do not run any more. */
async function endedLaunches(channel: Channel, rows: readonly Row[]): Promise<Set<string>> {
  const launchIds = rows.flatMap(({ launch_id: id }) => (id === null ? [] : [id as string]));
  if (launchIds.length === 0) return new Set();
  const running = await channel.query<Row[]>(selectRunning, [launchIds]);
  const ids = new Set(running.map((row) => row.launch_id as string));
  return new Set(launchIds.filter((id) => !ids.has(id)));
}

function isStale(row: Row, ended: ReadonlySet<string>): boolean {
  if (row.launch_id !== null && ended.has(row.launch_id as string)) return true;
  const ageMs = (row.now_at as Date).getTime() - (row.created_at as Date).getTime();
  return row.event === 'start' && ageMs > startSecondsMax * 1000;
}

/** A ping says how a job is: of several only the last one counts, and a test is of none. */
function supersededOf(rows: readonly Row[]): Set<Row> {
  const latest = new Map<string, Row>();
  for (const row of rows) {
    const { job = row.stable_id as string } = JSON.parse(row.facts as string) as NoticeFacts;
    const before = latest.get(job);
    if (before === undefined || Number(before.notice_id) < Number(row.notice_id)) {
      latest.set(job, row);
    }
  }
  const kept = new Set(latest.values());
  return new Set(rows.filter((row) => !kept.has(row)));
}

async function drop(channel: Channel, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await channel.change(dropStatement, [rows.map((row) => row.notice_id as number)]);
}

function partition<T>(all: readonly T[], test: (each: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((each) => !test(each))];
}

const selectDue = `/* chooseNotices */ SELECT notice_id, stable_id, event, launch_id, facts, tries,
    created_at, NOW(3) AS now_at
  FROM notice WHERE target_name = ? AND state = 'waiting' AND due_at <= NOW(3)
  ORDER BY due_at, notice_id LIMIT ?`;
const selectRunning = `/* chooseNotices running */ SELECT launch_id FROM slot
  WHERE launch_id IN (?) AND state = 'executing'`;
const dropStatement = `/* chooseNotices drop */ UPDATE notice
  SET state = 'dropped', ended_at = NOW(3) WHERE notice_id IN (?) AND state = 'waiting'`;
