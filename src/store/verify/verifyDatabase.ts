import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { type Finding, FindingLog } from '../../domain/verify/rules/finding.ts';
import type { RuleCode } from '../../domain/verify/rules/verifyRules.ts';
import { findReaperSince, type VerifyScope } from '../../domain/verify/rules/verifyScope.ts';
import { checkLockRows, checkSessions } from '../../domain/verify/runs/checkSessions.ts';
import type { Since } from '../../domain/verify/since.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { migrateHint } from '../connection/grantStatement.ts';
import { serverVariable } from '../connection/prepareSession.ts';
import { jobMissing } from '../jobs/findJob.ts';
import { integer, only, rowOf } from '../rows/row.ts';
import { readJobIds } from '../runs/pageOfRuns.ts';
import { compareSchema } from '../schema/migrate.ts';
import { useSnapshot } from '../schema/useSnapshot.ts';
import { type VerifyProgress, verifyJobs } from './verifyJobs.ts';
import { selectSession, sessionColumns } from './verifyTables.ts';

export interface VerifyRequest {
  /** Only the job of this name, removed ones of the name included. */
  readonly job?: string;
  /**
   * From when on ticks are verified. Whoever cleans the history gives an instant after which
   * everything is kept. Absent: from the beginning.
   */
  readonly since?: Since;
  /** Called every so often with how far it is; what it throws ends the verification. */
  readonly progress?: (far: VerifyProgress) => void;
}

export interface Verification extends VerifyProgress {
  /** Of the jobs those that are removed. */
  readonly removed: number;
  /** Ticks that were due and are accounted for. */
  readonly ticks: number;
  /** The instant of the snapshot, by the database's clock. */
  readonly atMs: number;
  /** Null: from the beginning. */
  readonly sinceMs: number | null;
  readonly broken: number;
  readonly warnings: number;
  /** Findings that are counted and not kept. */
  readonly leftOut: number;
  readonly counts: ReadonlyMap<RuleCode, number>;
  readonly findings: readonly Finding[];
}

/**
 * Holds everything that a database can show against the promises, in one snapshot and without a
 * lock, so that nodes may go on meanwhile. Above all it computes the ticks of every revision anew
 * and proves P19. Needs memory for some pages of rows, whatever the length of the history.
 * @throws OperatorError `schema_older`, `schema_newer` (78), `job_missing`; what the driver throws.
 */
export async function verifyDatabase(
  channel: Channel,
  request: VerifyRequest = {},
): Promise<Verification> {
  await requireKnownSchema(channel);
  return useSnapshot(channel, async (connection) => {
    const log = new FindingLog();
    const { job, since, progress } = request;
    const scope = await readScope(connection, since, log);
    const jobIds = job === undefined ? null : await requireJobIds(connection, job);
    const far = await verifyJobs(connection, scope, jobIds, log, progress);
    const sinceMs = since === undefined ? null : scope.sinceMs;
    const { broken, warnings, leftOut, counts, findings } = log;
    return { ...far, atMs: scope.nowMs, sinceMs, broken, warnings, leftOut, counts, findings };
  });
}

/** A later version may account for ticks in ways that this one does not know. */
async function requireKnownSchema(channel: Channel): Promise<void> {
  const { missing, unknown } = await compareSchema(channel);
  if (missing.length === 0 && unknown.length === 0) return;
  const isOlder = missing.length > 0;
  const how = isOlder ? 'older' : 'newer';
  const names = [...missing, ...unknown].join(', ');
  throw new OperatorError({
    code: `schema_${how}`,
    message: `The schema of the database is ${how} than this version: ${names}.`,
    hint: isOlder ? migrateHint : 'Verify with the version that the nodes run.',
    exitCode: exitCodes.configuration,
  });
}

/** What all jobs have in common: the clock, the sessions, the locks. */
async function readScope(
  connection: ChannelConnection,
  since: Since | undefined,
  log: FindingLog,
): Promise<VerifyScope> {
  const nowMs = await connection.readNow();
  checkLockRows(await connection.rows(only(integer), selectLockRows), log);
  const sessions = await connection.rows(rowOf(sessionColumns), selectUnreaped);
  checkSessions(sessions, nowMs, log);
  const cluster = await connection.rows(serverVariable, showCluster);
  const isCluster = cluster.some(([, value]) => !['', 'OFF'].includes(value));
  const clockSlackMs = isCluster ? memberSlackMs : 0;
  const reaperSinceMs = findReaperSince(sessions, nowMs);
  return { nowMs, sinceMs: instantOf(since, nowMs), clockSlackMs, reaperSinceMs };
}

function instantOf(since: Since | undefined, nowMs: number): number {
  if (since === undefined) return -Infinity;
  return 'agoMs' in since ? nowMs - since.agoMs : since.instantMs;
}

/** Members of a cluster are kept together by NTP, well within a second. */
const memberSlackMs = 1_000;

async function requireJobIds(connection: ChannelConnection, name: string): Promise<number[]> {
  const jobIds = await readJobIds(connection, name);
  if (jobIds.length === 0) throw jobMissing(name);
  return jobIds;
}

const selectLockRows = '/* verify lock_row */ SELECT lock_id FROM lock_row ORDER BY lock_id';
/** Few: those that are live, and those that ended just now. */
const selectUnreaped = `/* verify sessions */ SELECT ${selectSession} FROM session
  WHERE reaped_at IS NULL`;
const showCluster = `/* verify cluster */ SHOW GLOBAL VARIABLES
  WHERE Variable_name IN ('wsrep_on', 'group_replication_group_name')`;
