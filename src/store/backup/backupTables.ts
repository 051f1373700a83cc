import { watchNote } from '../activity/watchActivity.ts';
import type { Queryable } from '../connection/queryable.ts';
import { only, text } from '../rows/row.ts';

/** A table that a backup has, in the order in which it is read and written. */
export interface BackedUpTable {
  readonly table: string;
  /** Its primary key, by which it is read a page at a time. */
  readonly key: readonly string[];
  /** The column that may have megabytes in a row. */
  readonly big?: string;
  /** `history`: only with the history; `ahead`: without it only rows about ticks still to come. */
  readonly when?: 'history' | 'ahead';
}

/**
 * What a backup has. Not in it: locks, what nodes keep among themselves (cleaning, live outputs,
 * activity, notifications that wait to be sent), logins of browsers and answers to repeated
 * requests.
 */
export const backupTables: readonly BackedUpTable[] = [
  { table: 'target', key: ['target_id'], big: 'target' },
  { table: 'node_group', key: ['group_name'], big: 'members' },
  { table: 'job_group', key: ['group_name'] },
  { table: 'job', key: ['job_id'] },
  { table: 'job_revision', key: ['job_id', 'revision'], big: 'definition' },
  { table: 'slot', key: ['slot_id'] },
  { table: 'pending', key: ['pending_id'] },
  { table: 'launch_request', key: ['job_id', 'request_id'], big: 'env' },
  { table: 'chain_link', key: ['job_id', 'upstream'] },
  { table: 'session', key: ['session_id'] },
  { table: 'node_hold', key: ['node_name'] },
  { table: 'api_token', key: ['token_id'], big: 'job_groups' },
  { table: 'notice_target', key: ['target_name'] },
  { table: 'notice_mute', key: ['muted_kind', 'muted_name'] },
  { table: 'note', key: ['note_name'] },
  { table: 'run', key: ['run_id'], when: 'ahead' },
  { table: 'run_output', key: ['launch_id'], big: 'output', when: 'history' },
  { table: 'audit_log', key: ['audit_id'], big: 'after_value', when: 'history' },
];

/** Notes that are about a database and not about what is in it. */
export const ownNotes = ['restore', 'restored', 'oldest_version', watchNote] as const;

/** The columns of a table of this database, in their order; none: there is no such table. */
export function readColumns(database: Queryable, table: string): Promise<readonly string[]> {
  return database.rows(only(text), selectColumns, [table]);
}

const selectColumns = `/* readColumns */ SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION`;
