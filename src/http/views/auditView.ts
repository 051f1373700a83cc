import { diffFields } from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { AuditListed } from '../../store/audit/listAudit.ts';
import type { Answer } from '../contract/apiContract.ts';
import { isoOf } from './isoOf.ts';

type AuditRow = Answer<'GET /audit'>['items'][number];

/** A row of the audit log; of a change of a job also field by field, as people write fields. */
export function auditView({ after, before, happenedMs, ...row }: AuditListed): AuditRow {
  const values = { before: before ?? null, after: after ?? null };
  const shown = { ...row, at: isoOf(happenedMs), ...values };
  if (!isJob(before) && !isJob(after)) return shown;
  return { ...shown, changes: diffFields(definitionIn(before), definitionIn(after)) };
}

/** A job as the log keeps it. */
interface AuditedJob {
  readonly definition: JobDefinition;
}

function isJob(value: unknown): value is AuditedJob {
  return typeof value === 'object' && value !== null && 'definition' in value;
}

/** Null: it was not there yet, or is no more. */
function definitionIn(value: unknown): JobDefinition | null {
  return isJob(value) ? value.definition : null;
}
