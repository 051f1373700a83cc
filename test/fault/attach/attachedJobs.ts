import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import { togetherPrefix } from '../../../src/domain/reasons/reasons.ts';
import type { Channel } from '../../../src/store/connection/channel.ts';
import {
  editJob,
  pauseTogether,
  removeJob,
  resumeJob,
  resumeTogether,
} from '../../../src/store/jobs/changes/changeJob.ts';
import { joinedRevision } from '../../../src/store/rows/joinedRevision.ts';
import { integer, jsonOf, only, rowOf, text } from '../../../src/store/rows/row.ts';
import type { Operation } from '../../checkers/history.ts';
import { auditTriggers } from '../record/auditTriggers.ts';
import { type JobMix, operationGapMs } from '../workload/jobMix.ts';
import type { OperationKind } from '../workload/victim.ts';
import { type LedgerPlace, tokenOf } from '../workload/workloadJobs.ts';
import { bootNowMs } from '../world/bootNow.ts';
import { refusal } from './refusal.ts';
import { type Waiting, waitBefore } from './waitBefore.ts';
import { unwrapCommand, wrapCommand } from './wrappedCommand.ts';

/** The jobs of a cluster while a run records them. */
export interface AttachedJobs {
  readonly mix: JobMix;
  /** From which revision on the history of each job is the run's, by its id. */
  readonly since: ReadonlyMap<number, number>;
  readonly operations: readonly Operation[];
}

const scope = 'a run of faults';
const handful = 6;

/**
 * Has every job that is not paused record its runs. They are paused until nothing of them runs, so
 * that what the audit tells begins with nothing under way, and go on by their schedules then.
 * @throws OperatorError (78) when they do not become quiet in time
 */
export async function recordJobs(
  channel: Channel,
  place: LedgerPlace,
  kinds: readonly OperationKind[],
  waiting: Waiting,
): Promise<AttachedJobs> {
  const found = await channel.rows(jobRow, selectActive);
  if (found.length === 0) {
    throw refusal('no_jobs', 'No job of this cluster is active.', 'Add some, or give --jobs FILE.');
  }
  await makeAudit(channel);
  for (const { name } of found) await pauseTogether(channel, name, scope, forGood);
  await untilQuiet(channel, waiting);
  await channel.write('DELETE FROM audit_row');
  await channel.write(auditLive);
  const since = new Map<number, number>();
  const operations: Operation[] = [];
  const own = new Map<string, { readonly jobId: number; readonly command: string }>();
  const wrapped = (name: string, number: number): string => {
    const { command = '', jobId = 0 } = own.get(name) ?? {};
    return wrapCommand(place, tokenOf(`job-${jobId}`, number), command);
  };
  for (const { definition, jobId, name } of found) {
    own.set(name, { jobId, command: definition.command });
    const command = wrapped(name, 1);
    const edit = () => editJob(channel, name, (job) => ({ ...job, command }));
    const edited = await recordChange('edit', name, edit, operations);
    since.set(jobId, edited);
    const resume = () => resumeTogether(channel, name, togetherPrefix(scope));
    await recordChange('resume', name, resume, operations);
  }
  const draw: JobMix['draw'] = (_random, _kind, { name, tokens }) => {
    return { command: wrapped(name, tokens), cron: null };
  };
  const victims = [...own.keys()];
  return { mix: { victims, kinds, gapMs: gapOf(victims.length), draw }, since, operations };
}

/**
 * Gives jobs their own commands back, has them go on, removes those of a file, and takes the audit
 * away. One that cannot be given back keeps nothing else from it.
 * @throws OperatorError (78) that names the jobs that are left
 */
export async function releaseJobs(channel: Channel): Promise<void> {
  const left: string[] = [];
  for (const job of await channel.rows(jobRow, selectAll)) {
    await release(channel, job).catch((error: Error) => left.push(`${job.name}: ${error.message}`));
  }
  await channel.write(makeJobTable);
  for (const name of await channel.rows(only(text), 'SELECT job_name FROM fault_job')) {
    await removeJob(channel, name).catch((error: { code?: string; message: string }) => {
      if (error.code !== 'job_missing') left.push(`${name}: ${error.message}`);
    });
  }
  if (left.length === 0) await channel.write('DROP TABLE fault_job');
  for (const trigger of ['audit_slot', 'audit_session_made', 'audit_session']) {
    await channel.write(`DROP TRIGGER IF EXISTS ${trigger}`);
  }
  await channel.write('DROP TABLE IF EXISTS audit_row');
  if (left.length === 0) return;
  const what = `Jobs that are not as they were: ${left.join('; ')}.`;
  throw refusal('jobs_left', what, 'Once more: npm run fault -- --unmark');
}

async function release(
  channel: Channel,
  { definition, name }: { readonly definition: JobDefinition; readonly name: string },
): Promise<void> {
  const command = unwrapCommand(definition.command);
  if (command === null) {
    await resumeTogether(channel, name, togetherPrefix(scope));
    return;
  }
  await editJob(channel, name, (job) => ({ ...job, command }));
  // It was active, whatever an operation of the run has done to it.
  await resumeJob(channel, name);
}

/** Remembers a job that is to be removed with the end of the run, even when that is killed. */
export async function noteAdded(channel: Channel, name: string): Promise<void> {
  await channel.write(makeJobTable);
  await channel.write('REPLACE INTO fault_job VALUES (?)', [name]);
}

async function makeAudit(channel: Channel): Promise<void> {
  try {
    for (const statement of auditTriggers) await channel.write(statement);
  } catch (error) {
    throw refusal(
      'no_triggers',
      `Triggers cannot be made: ${(error as Error).message}.`,
      'The account needs CREATE and TRIGGER, and, where the server has a binary log, ' +
        'log_bin_trust_function_creators = 1.',
    );
  }
}

/** Few jobs are left alone as long as each of many. */
function gapOf(jobs: number): [number, number] {
  const [least, most] = operationGapMs;
  const times = Math.max(1, handful / jobs);
  return [Math.round(least * times), Math.round(most * times)];
}

function untilQuiet(channel: Channel, waiting: Waiting): Promise<void> {
  return waitBefore(waiting, async () => {
    const busy = await channel.rows(only(text), selectBusy);
    if (busy.length === 0) return { found: undefined };
    const names = [...new Set(busy)].join(', ');
    return {
      waitsFor: `waiting until nothing runs or waits to be started of: ${names}`,
      late: refusal(
        'not_quiet',
        `Something of these jobs still runs or waits to be started: ${names}.`,
        'Stop it (statecron run stop), and begin again.',
      ),
    };
  });
}

async function recordChange(
  kind: 'edit' | 'resume',
  job: string,
  change: () => Promise<{ readonly revision: number }>,
  operations: Operation[],
): Promise<number> {
  const invokedMs = bootNowMs();
  const { revision } = await change();
  const detail = 'by the run itself';
  const known = { kind, job, invokedMs, answeredMs: bootNowMs(), revision, requestId: null };
  operations.push({ ...known, outcome: 'ok', detail });
  return revision;
}

const forGood = { end: null, note: undefined };
const jobRow = rowOf({ jobId: integer, name: text, definition: jsonOf<JobDefinition>() });

const selectAll = `SELECT job.job_id, job.name, definition
  FROM ${joinedRevision} WHERE removed_no = 0`;
const selectActive = `${selectAll} AND job_revision.paused = 0`;
const selectBusy = `SELECT job.name FROM job JOIN slot USING (job_id) WHERE slot.state <> 'idle'
  UNION SELECT job.name FROM job JOIN pending USING (job_id)`;
/** As their own triggers would have it: these were made before them. */
const auditLive = `INSERT INTO audit_row
    (at, connection_no, session_id, node_name, beats, new_state)
  SELECT SYSDATE(6), CONNECTION_ID(), session_id, node_name, beats, state
  FROM session WHERE state = 'live'`;
const makeJobTable = `CREATE TABLE IF NOT EXISTS fault_job (
  job_name VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY
) ENGINE = InnoDB`;
