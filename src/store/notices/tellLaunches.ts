import type { Launch } from '../../domain/launch.ts';
import {
  asksForLong,
  asksForRecovery,
  isWatched,
  type NoticeRules,
  tellOfEnd,
  tellOfStart,
} from '../../domain/notices/decideNotices.ts';
import type { NoticeDraft, NoticeFacts } from '../../domain/notices/notice.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import type { EndedAttempt } from '../slots/endAttempts.ts';
import { insertNotices } from './insertNotices.ts';
import type { NoticeCache } from './noticeCache.ts';
import { endFacts, jobFacts } from './noticeFacts.ts';

/** Tells of launches that have started, in the transaction that starts them. */
export async function tellStarts(
  connection: ChannelConnection,
  notices: NoticeCache,
  launches: readonly Launch[],
  nodeName: string,
): Promise<void> {
  if (launches.length === 0) return;
  const rules = await notices.rules(connection);
  const drafts = launches.flatMap((launch) => {
    const { definition, launchId } = launch;
    const facts = startFacts(launch, nodeName);
    return tellOfStart(definition, rules).map((told): NoticeDraft => {
      const isLong = told.event === 'long-running';
      return {
        ...told,
        subject: launchId,
        facts: isLong ? { ...facts, longMs: told.delayMs } : facts,
        launchId: isLong ? launchId : null,
      };
    });
  });
  await insertNotices(connection, drafts);
}

/** A launch that ends, and what there is to tell of it besides what its slot's row says. */
interface ToldEnd extends EndedAttempt {
  readonly facts: NoticeFacts;
}

/**
 * Tells of launches that end, in the transaction that ends them and before their history rows are
 * written; nobody is told any more that one of them takes long. Rows tell `job_id`, `node_name`,
 * `launch_id`, `scheduled_for`, `started_at`, `now_at`, `triggered_by` and `attempt`. Jobs that
 * nobody watches cost nothing.
 */
export async function tellEnds(
  connection: ChannelConnection,
  notices: NoticeCache,
  ended: readonly ToldEnd[],
): Promise<void> {
  if (ended.length === 0) return;
  const rules = await notices.rules(connection);
  const watched = ended.filter(
    ({ definition, isUnderstood }) => isUnderstood && isWatched(definition, rules),
  );
  const long = watched.filter(({ definition }) => asksForLong(definition, rules));
  if (long.length > 0) {
    await connection.change(dropLong, [long.map(({ row }) => row.launch_id as string)]);
  }
  const failing = await readFailing(connection, watched, rules);
  const drafts = watched.flatMap((each) => {
    const { row, result, next, definition } = each;
    const isFinal = next === null;
    const place = placeOf(row);
    const wasFailing = failing.get(place) ?? false;
    if (isFinal && isOutcome(result)) failing.set(place, result !== 'succeeded');
    const told = tellOfEnd(definition, rules, { result, isFinal, wasFailing });
    const facts = { ...endFacts(definition, row), result, ...each.facts };
    const subject = row.launch_id as string;
    return told.map((one): NoticeDraft => ({ ...one, subject, facts, launchId: null, delayMs: 0 }));
  });
  await insertNotices(connection, drafts);
}

/** Whether the last tick that ran had failed, of the jobs of which somebody wants to know. */
async function readFailing(
  connection: ChannelConnection,
  watched: readonly ToldEnd[],
  rules: NoticeRules,
): Promise<Map<string, boolean>> {
  const failing = new Map<string, boolean>();
  for (const { row, result, definition } of watched) {
    const place = placeOf(row);
    if (result !== 'succeeded' || failing.has(place)) continue;
    if (!asksForRecovery(definition, rules)) continue;
    const latest = await connection.query<Row[]>(selectLatest, [row.job_id, rowsLookedAt]);
    const last = latest.find(
      (each) =>
        each.node_name === row.node_name &&
        each.is_final === 1 &&
        each.started_at !== null &&
        isOutcome(each.result as string),
    );
    failing.set(place, last !== undefined && last.result !== 'succeeded');
  }
  return failing;
}

/** Ticks that were skipped or missed since are in between. */
const rowsLookedAt = 100;

function isOutcome(result: string): boolean {
  return ['succeeded', 'failed', 'timed_out', 'lost'].includes(result);
}

/** Each node of an every-node job fails and recovers on its own. */
function placeOf(row: Row): string {
  return `${row.job_id}:${row.node_name}`;
}

function startFacts(launch: Launch, node: string): NoticeFacts {
  const { definition, launchId, attempt, trigger } = launch;
  const scheduledFor = new Date(launch.scheduledForMs).toISOString();
  return { ...jobFacts(definition), node, launchId, attempt, trigger, scheduledFor };
}

const dropLong = `/* tellEnds long */ DELETE FROM notice
  WHERE launch_id IN (?) AND state = 'waiting'`;
const selectLatest = `/* tellEnds latest */ SELECT result, is_final, node_name, started_at
  FROM run FORCE INDEX (run_by_job) WHERE job_id = ? ORDER BY ended_at DESC, run_id DESC LIMIT ?`;
