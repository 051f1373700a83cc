import { diffFields } from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { instantOf } from '../../domain/verify/since.ts';
import type { Answer } from '../../http/contract/apiContract.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import { printList } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import type { readSince } from '../options/readTime.ts';
import { formatInstant, localTimezone, withLocalInstants } from '../output/formatInstant.ts';
import { eachChange } from '../output/lines/eachChange.ts';
import { instantCell } from '../output/table/cells.ts';
import type { Column, TableOptions } from '../output/table/printTable.ts';

interface AuditOptions extends ClusterOptions, TableOptions {
  readonly job?: string;
  readonly actor?: string;
  readonly since?: ReturnType<typeof readSince>;
  readonly limit: number;
}

type AuditRow = Answer<'GET /audit'>['items'][number];

/** `audit`. */
export async function auditAction(options: AuditOptions): Promise<void> {
  const { actor, job, limit: rowsMax, since } = options;
  const sinceMs = since && instantOf(since(), Date.now());
  const filter = { rowsMax, ...withoutUndefined({ actor, job, sinceMs }) };
  await printList(options, {
    read: (operator) => operator.listAudit(filter),
    requireSubject: async (operator) => job !== undefined && operator.showJob(job),
    limit: rowsMax,
    empty: 'There are no such changes.',
    columns: columns(localTimezone()),
  });
}

function columns(zone: string): Column<AuditRow>[] {
  return [
    { heading: 'WHEN', of: ({ at }) => instantCell(at, zone), rank: 2 },
    { heading: 'WHO', of: ({ actor }) => actor, cutTo: 10 },
    { heading: 'FROM', of: fromText, rank: 3 },
    { heading: 'ACTION', of: ({ action }) => action },
    { heading: 'OF', of: ({ target }) => target, cutTo: 10 },
    { heading: 'CHANGE', of: (row) => changeText(row, zone), rank: 1, wrapTo: 24 },
    // It is long, and for programs: on a terminal the change has its room.
    { heading: 'REQUEST', of: ({ requestId }) => requestId, isWideOnly: true },
  ];
}

/** A person and a token may have the same name: which it was is said of the person. */
function fromText({ address, via }: AuditRow): string {
  return via === 'proxy' ? `${address}, proxy` : (address ?? via);
}

/** A job as the log keeps it. */
interface AuditedJob {
  readonly definition: JobDefinition;
  readonly isPaused: boolean;
  readonly resumeAt?: string | null;
  readonly reason?: string;
}

/** What a change came to: the fields of a job that are others now, of all else its values. */
function changeText({ after, before }: AuditRow, zone: string): string {
  if (isJob(before) && isJob(after)) {
    const changes = diffFields(before.definition, after.definition, 'flag').flatMap(eachChange);
    const texts = changes.map(
      (each) => `${each.field}: ${valueText(each.before)} → ${valueText(each.after)}`,
    );
    const { isPaused, reason = 'paused', resumeAt } = after;
    const until = resumeAt ? ` until ${formatInstant(resumeAt, zone)}` : '';
    if (isPaused !== before.isPaused) texts.unshift(isPaused ? `${reason}${until}` : 'resumed');
    else if (resumeAt && resumeAt !== before.resumeAt) texts.unshift(`paused${until}`);
    return texts.join('; ') || '-';
  }
  const job = isJob(after) ? after : isJob(before) ? before : null;
  if (job !== null) return `cron: ${job.definition.schedule}; command: ${job.definition.command}`;
  return withLocalInstants(valuesText(before, after), zone);
}

function isJob(value: unknown): value is AuditedJob {
  return typeof value === 'object' && value !== null && 'definition' in value;
}

/** Of two objects what differs, of two other values both; of one what it says, or said. */
function valuesText(before: unknown, after: unknown): string {
  if (Array.isArray(after) && after.some(isObject)) {
    return after.map((each) => valuesText(null, each)).join('; ');
  }
  if (!isObject(after) && !isObject(before)) {
    return before === null ? valueText(after) : `${valueText(before)} → ${valueText(after)}`;
  }
  const [from, to] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const texts = Object.keys({ ...to, ...from }).flatMap((name) => {
    const [old, now] = [valueText(from[name]), valueText(to[name])];
    if (old === now) return [];
    return [`${name}: ${isObject(before) ? `${old} → ` : ''}${now}`];
  });
  return texts.join('; ') || '-';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueText(value: unknown): string {
  const isNothing = [null, undefined, false, ''].includes(value as null);
  if (isNothing || (Array.isArray(value) && value.length === 0)) return '-';
  const isPlain = typeof value === 'string' || Array.isArray(value);
  return isPlain ? `${value}` : JSON.stringify(value);
}
