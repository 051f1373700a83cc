import type { ChangedBy } from '../../domain/changedBy.ts';
import { asciiText } from '../asciiText.ts';
import type { Channel, Row } from '../channel.ts';
import type { Parameter } from '../queryable.ts';

/** A row of the audit log. */
export interface AuditListed extends Omit<ChangedBy, 'groups' | 'keyClaim'> {
  /** Ascending in the order of the changes, but for those that were made at once. */
  readonly auditId: number;
  readonly happenedMs: number;
  readonly action: string;
  readonly target: string;
  /** The group of the job; null: it is no job's. */
  readonly group: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** Which rows: those that meet every condition that is given. */
interface AuditFilter {
  readonly rowsMax: number;
  /** Only rows before this one: the next page after a row that was shown. */
  readonly beforeId?: number;
  readonly target?: string;
  readonly actor?: string;
  readonly action?: string;
  /** Only changes of jobs of these groups; null: all, those of no job too. */
  readonly groups?: readonly string[] | null;
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** The audit log, newest first. Read without locks. */
export async function listAudit(channel: Channel, filter: AuditFilter): Promise<AuditListed[]> {
  const { actor, action, beforeId, groups = null, rowsMax, sinceMs, target, untilMs } = filter;
  if (groups?.length === 0) return [];
  const where: string[] = [];
  const parameters: Parameter[] = [];
  const need = (condition: string, value: Parameter | undefined): void => {
    if (value === undefined) return;
    where.push(condition);
    parameters.push(value);
  };
  need('audit_id < ?', beforeId);
  need('target = ?', target);
  need('actor = ?', actor);
  need('action = ?', action === undefined ? undefined : asciiText(action));
  need('job_group IN (?)', groups ?? undefined);
  need('happened_at >= ?', sinceMs === undefined ? undefined : new Date(sinceMs));
  need('happened_at < ?', untilMs === undefined ? undefined : new Date(untilMs));
  const conditions = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  const sql = `${selectAudit} ${conditions} ORDER BY audit_id DESC LIMIT ?`;
  const rows = await channel.query<Row[]>(sql, [...parameters, rowsMax]);
  return rows.map(auditOf);
}

function auditOf(row: Row): AuditListed {
  return {
    auditId: Number(row.audit_id),
    happenedMs: (row.happened_at as Date).getTime(),
    actor: row.actor as string,
    via: row.via as 'api' | 'cli',
    requestId: row.request_id as string,
    address: row.address as string | null,
    action: row.action as string,
    target: row.target as string,
    group: row.job_group as string | null,
    before: readValue(row.before_value as string | null),
    after: readValue(row.after_value as string | null),
  };
}

function readValue(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}

const selectAudit = `/* listAudit */ SELECT audit_id, happened_at, actor, via, request_id, address,
    action, target, job_group, before_value, after_value FROM audit_log`;
