import type { Channel } from '../connection/channel.ts';
import { Conditions } from '../connection/conditions.ts';
import { asciiText } from '../rows/asciiText.ts';
import { each, instantMs, integer, jsonOf, nullable, rowOf, text, wordOf } from '../rows/row.ts';

const auditListed = rowOf({
  happenedMs: instantMs,
  ...each(text, 'actor', 'requestId', 'action', 'target'),
  via: wordOf<'api' | 'cli' | 'proxy'>(),
  address: nullable(text),
  ...each(nullable(jsonOf<unknown>()), 'before', 'after'),
  /** Ascending in the order of the changes, but for those that were made at once. */
  auditId: integer,
  /** The group of the job; null: it is no job's. */
  group: nullable(text),
});
/** A row of the audit log. */
export type AuditListed = ReturnType<typeof auditListed>;

/** Which rows: those that meet every condition that is given. */
interface AuditFilter {
  readonly rowsMax: number;
  /** Only rows before this one: the next page after a row that was shown. */
  readonly beforeId?: number;
  readonly target?: string;
  /** Only changes of jobs of this name: what else is called so is left out. */
  readonly job?: string;
  readonly actor?: string;
  readonly action?: string;
  /** Only changes of jobs of these groups; null: all, those of no job too. */
  readonly groups?: readonly string[] | null;
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** The audit log, newest first. Read without locks. */
export async function listAudit(channel: Channel, filter: AuditFilter): Promise<AuditListed[]> {
  const { actor, action, beforeId, groups = null, job, rowsMax } = filter;
  const { sinceMs, target, untilMs } = filter;
  if (groups?.length === 0) return [];
  const conditions = new Conditions();
  conditions.need('audit_id < ?', beforeId);
  conditions.need('target = ?', target);
  conditions.need(`target = ? AND ${isOfJob}`, job);
  conditions.need('actor = ?', actor);
  conditions.need('action = ?', action && asciiText(action));
  conditions.need('job_group IN (?)', groups ?? undefined);
  conditions.need('happened_at >= ?', sinceMs === undefined ? undefined : new Date(sinceMs));
  conditions.need('happened_at < ?', untilMs === undefined ? undefined : new Date(untilMs));
  const sql = `${selectAudit} ${conditions.where} ORDER BY audit_id DESC LIMIT ?`;
  return channel.rows(auditListed, sql, [...conditions.parameters, rowsMax]);
}

/** A mute says in its value what it is of. */
const isOfJob = `(action LIKE 'job.%'
    OR (action IN ('notify.mute', 'notify.unmute') AND after_value LIKE '{"kind":"job"%'))`;
const selectAudit = `/* listAudit */ SELECT audit_id, happened_at AS happened, actor, via,
    request_id, address, action, target, job_group AS 'group', before_value AS 'before',
    after_value AS 'after' FROM audit_log`;
