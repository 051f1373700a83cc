import { type Finding, FindingLog } from '../../domain/verify/rules/finding.ts';
import type { RuleCode } from '../../domain/verify/rules/verifyRules.ts';
import { findReaperSince, type VerifyScope } from '../../domain/verify/rules/verifyScope.ts';
import { checkLockRows, checkSessions } from '../../domain/verify/runs/checkSessions.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { serverVariable } from '../connection/serverVariable.ts';
import { jobMissing } from '../jobs/findJob.ts';
import { integer, only, rowOf } from '../rows/row.ts';
import { readJobIds } from '../runs/readJobIds.ts';
import { useSnapshot } from '../schema/useSnapshot.ts';
import { readNow } from '../transaction/readNow.ts';
import { type VerifyProgress, verifyJobs } from './verifyJobs.ts';
import { selectSession, sessionColumns } from './verifyTables.ts';

interface VerifyOptions {
  /** Only the job of this name, removed ones of the name included. */
  readonly job?: string;
  /**
   * From when on ticks are verified, told the database's clock. Whoever cleans the history gives
   * an instant after which everything is kept. Default: from the beginning.
   */
  readonly sinceMs?: (nowMs: number) => number;
  /** Told every so often how far it is. */
  readonly progress?: (far: VerifyProgress) => void;
}

export interface Verification extends VerifyProgress {
  /** Ticks that were due and are accounted for. */
  readonly ticks: number;
  /** The instant of the snapshot, by the database's clock. */
  readonly atMs: number;
  /** Null: from the beginning. */
  readonly sinceMs: number | null;
  readonly broken: number;
  readonly warnings: number;
  /** Findings that are counted and not told. */
  readonly leftOut: number;
  readonly counts: ReadonlyMap<RuleCode, number>;
  readonly findings: readonly Finding[];
}

/**
 * Holds everything that a database can show against the promises, in one snapshot and without a
 * lock, so that nodes may go on meanwhile. Above all it computes the ticks of every revision anew
 * and proves P19. Needs memory for some pages of rows, whatever the length of the history.
 * @throws OperatorError `job_missing`; what the driver throws.
 */
export function verifyDatabase(
  channel: Channel,
  options: VerifyOptions = {},
): Promise<Verification> {
  return useSnapshot(channel, async (connection) => {
    const log = new FindingLog();
    const { scope, sinceMs } = await readScope(connection, options, log);
    const jobIds = options.job === undefined ? null : await requireJobIds(connection, options.job);
    const far = await verifyJobs(connection, scope, jobIds, log, options.progress);
    const { broken, warnings, leftOut, counts, findings } = log;
    return { ...far, atMs: scope.nowMs, sinceMs, broken, warnings, leftOut, counts, findings };
  });
}

/** What all jobs have in common: the clock, the sessions, the locks. */
async function readScope(
  connection: ChannelConnection,
  options: VerifyOptions,
  log: FindingLog,
): Promise<{ scope: VerifyScope; sinceMs: number | null }> {
  const nowMs = await readNow(connection);
  checkLockRows(await connection.rows(only(integer), selectLockRows), log);
  const sessions = await connection.rows(rowOf(sessionColumns), selectUnreaped);
  checkSessions(sessions, nowMs, log);
  const cluster = await connection.rows(serverVariable, showCluster);
  const isCluster = cluster.some(([, value]) => !['', 'OFF'].includes(value));
  const sinceMs = options.sinceMs?.(nowMs) ?? null;
  return {
    sinceMs,
    scope: {
      nowMs,
      sinceMs: sinceMs ?? Number.NEGATIVE_INFINITY,
      clockSlackMs: isCluster ? memberSlackMs : 0,
      reaperSinceMs: findReaperSince(sessions, nowMs),
    },
  };
}

/** Members of a cluster are kept together by NTP, well within a second. */
const memberSlackMs = 1_000;

async function requireJobIds(connection: ChannelConnection, name: string): Promise<number[]> {
  const jobIds = await readJobIds(connection, name);
  if (jobIds.length === 0) throw jobMissing(name);
  return jobIds;
}

const selectLockRows = '/* verify lock_row */ SELECT lock_id FROM lock_row ORDER BY lock_id';
/** Few: those that are live, and those that ended a moment ago. */
const selectUnreaped = `/* verify sessions */ SELECT ${selectSession} FROM session
  WHERE reaped_at IS NULL`;
const showCluster = `/* verify cluster */ SHOW GLOBAL VARIABLES
  WHERE Variable_name IN ('wsrep_on', 'group_replication_group_name')`;
