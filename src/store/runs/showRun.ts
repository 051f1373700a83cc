import { OperatorError } from '../../domain/errors/errors.ts';
import type { RunLife } from '../../domain/life/runLife.ts';
import { requestedAlone } from '../../domain/reasons/reasons.ts';
import type { Channel } from '../connection/channel.ts';
import { asciiText } from '../rows/asciiText.ts';
import { bytes, jsonOf, nullable, only, rowOf, text } from '../rows/row.ts';
import { columnsOfGroups } from '../targeting/ensureTarget.ts';
import { readLife } from './readLife.ts';
import { launchColumns, pendingColumns, type RunShown, runColumns, runShown } from './runRow.ts';

/** A run that was looked up. */
export interface RunFound extends RunShown {
  /** The names of the variables that its request gave it, without their values. */
  readonly variables: readonly string[];
  readonly life: RunLife;
}

/**
 * One run by any of its names: the id of its launch (or the beginning of its session's id, a colon
 * and its number, as the page shortens it), of the request that it came by (of several the
 * one that goes on, else the last), or the number of its history row. One that has not ended is
 * read from its slot, or from the requests that wait. Two groups may have chosen the same id: whose
 * token is for some groups has only their runs, none of which another group's can hide.
 * @throws OperatorError `run_missing`.
 */
export async function showRun(channel: Channel, id: string): Promise<RunFound> {
  const run = (await findRun(channel, id)) ?? (await findShortened(channel, id));
  if (run === null) throw runMissing(id);
  const life = await readLife(channel, run);
  return { ...run, ...(await readDetails(channel, run)), life };
}

async function findRun(channel: Channel, id: string): Promise<RunShown | null> {
  const groups = channel.by?.groups ?? null;
  const stored = columnsOfGroups(groups ?? []);
  const named = [asciiText(id), groups === null, stored];
  // Between two looks it may have ended, or have left the requests that wait for a slot.
  const looks = [selectRun, selectLaunch, selectRun];
  looks.push(selectRequestHeld, selectRequestWaiting, selectRequestHeld, selectRequestEnded);
  if (/^\d{1,18}$/.test(id)) looks.push(selectNumber);
  for (const sql of looks) {
    const [run] = await channel.rows(runShown, sql, named);
    if (run !== undefined) return run;
  }
  return null;
}

/** Of what begins like the ids of two sessions neither is meant. */
async function findShortened(channel: Channel, id: string): Promise<RunShown | null> {
  const [, begins, number] = /^(s[0-9a-f]{5,23}):(\d+)$/.exec(id) ?? [];
  if (begins === undefined) return null;
  const sessions = await channel.rows(only(text), selectSessions, [`${begins}%`]);
  return sessions.length === 1 ? findRun(channel, `${sessions[0]}:${number}`) : null;
}

async function readDetails(
  channel: Channel,
  { jobId, launchId, reason, requestId, result }: RunShown,
) {
  if (requestId === null) return { reason, variables: [] };
  const [details] = await channel.rows(requestDetails, selectDetails, [jobId, requestId]);
  const variables = Object.keys(details?.env ?? {});
  const awaited = result === null && launchId === null ? details?.awayNode : null;
  return { reason: awaited ? `it is ${requestedAlone(awaited)}` : reason, variables };
}

/** The output that is kept of a launch, as its bytes; null when none was written. */
export async function readOutput(channel: Channel, launchId: string): Promise<Uint8Array | null> {
  const [output = null] = await channel.rows(only(bytes), selectOutput, [launchId]);
  return output;
}

export function runMissing(id: string): OperatorError {
  return new OperatorError({
    code: 'run_missing',
    message: `There is no run with the id ${JSON.stringify(id)}.`,
    hint:
      'See the numbers: statecron runs; the launch ids of those under way: ' +
      'statecron runs --running',
  });
}

/** Of which groups; first parameter true: of all. */
const isOwn = "AND (? OR IFNULL(target.job_group, '') IN (?))";
const selectRun = `/* showRun */ SELECT ${runColumns} WHERE run.launch_id = ? ${isOwn}`;
const selectLaunch = `/* showRun launch */ SELECT ${launchColumns}
  WHERE slot.launch_id = ? ${isOwn}`;
const selectRequestHeld = `/* showRun held */ SELECT ${launchColumns}
  WHERE slot.state IN ('prepare', 'executing') AND slot.request_id = ? ${isOwn} LIMIT 1`;
const selectRequestWaiting = `/* showRun waiting */ SELECT ${pendingColumns}
  WHERE pending.request_id = ? ${isOwn}
  ORDER BY pending.not_before, pending.pending_id LIMIT 1`;
const selectRequestEnded = `/* showRun request */ SELECT ${runColumns}
  WHERE run.request_id = ? ${isOwn} ORDER BY run.run_id DESC LIMIT 1`;
const selectNumber = `/* showRun number */ SELECT ${runColumns} WHERE run.run_id = ? ${isOwn}`;
const selectSessions =
  '/* showRun session */ SELECT session_id FROM session WHERE session_id LIKE ? LIMIT 2';
/** The one node that shall run it, where that is not live. */
const requestDetails = rowOf({ env: nullable(jsonOf<object>()), awayNode: nullable(text) });
const selectDetails = `/* showRun details */ SELECT env,
    IF(EXISTS (SELECT 1 FROM session
      WHERE session.node_name = wanted_node AND state = 'live'), NULL, wanted_node) AS away_node
  FROM launch_request WHERE job_id = ? AND request_id = ?`;
const selectOutput = '/* readOutput */ SELECT output FROM run_output WHERE launch_id = ?';
