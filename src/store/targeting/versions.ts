import type { ChannelConnection } from '../connection/channel.ts';
import type { Queryable } from '../connection/queryable.ts';
import { integer, nullable, rowOf } from '../rows/row.ts';

/**
 * What decides what a session may claim, as numbers that move when it changes: whoever has read the
 * nodes and the targeting of these need not read them again.
 */
export interface Versions {
  /** Of groups, targets and every-node jobs. */
  readonly targeting: number;
  /** Of the live sessions. */
  readonly sessions: number;
  /** Of the own session, since an earlier release moves no number: 1 draining, 2 cordoned too. */
  readonly own: number;
}

export function sameVersions(one: Versions, other: Versions): boolean {
  return (
    one.targeting === other.targeting && one.sessions === other.sessions && one.own === other.own
  );
}

/** One statement, whatever the number of nodes. */
export async function readVersions(database: Queryable, sessionId: string): Promise<Versions> {
  const [row] = await database.rows(versionsRow, selectVersions, [sessionId]);
  return versionsOf(row ?? { targeting: null, sessions: null, own: null });
}

/**
 * Makes every node read groups, targets and every-node jobs again. In the transaction that changes
 * them, after its stripes and as its last lock.
 */
export async function bumpTargetingVersion(connection: ChannelConnection): Promise<void> {
  await connection.change(bump, [targetingNo]);
}

/**
 * Makes every node read the live sessions again, when one has come, has ended, or takes work or
 * none from now on. As the last lock of the transaction, or after what changes it.
 */
export async function bumpSessionsVersion(database: Queryable): Promise<void> {
  await database.change(bump, [sessionsNo]);
}

/** Rows of the table. */
const targetingNo = 1;
const sessionsNo = 2;

const versionOf = (no: number): string =>
  `(SELECT version FROM targeting_version WHERE version_id = ${no})`;
export const targetingVersion = versionOf(targetingNo);
export const sessionsVersion = versionOf(sessionsNo);

/** For a statement that has to know whether more has to be read; its parameter is a session. */
export const versionColumns = `
    ${targetingVersion} AS targeting,
    ${sessionsVersion} AS sessions,
    (SELECT draining + cordoned FROM session WHERE session_id = ?) AS own`;
export const versionFields = {
  targeting: nullable(integer),
  sessions: nullable(integer),
  own: nullable(integer),
};

/** A row that is missing is as good as a number: it will be another when it is put back. */
export function versionsOf(row: { readonly [Name in keyof Versions]: number | null }): Versions {
  return { targeting: row.targeting ?? 0, sessions: row.sessions ?? 0, own: row.own ?? 0 };
}

const versionsRow = rowOf(versionFields);
const selectVersions = `/* readVersions */ SELECT ${versionColumns}`;
/** A row that is missing is put back, with a number that no node has seen. */
const bump = `/* bumpVersion */ INSERT INTO targeting_version (version_id, version)
  VALUES (?, UNIX_TIMESTAMP()) ON DUPLICATE KEY UPDATE version = version + 1`;
