import { OperatorError } from '../../domain/errors.ts';
import type { Channel, Row } from '../channel.ts';
import { launchColumns, pendingColumns, type RunShown, runColumns, runOf } from './runRow.ts';

/**
 * One run by any of its names: the id of its launch, of the request that it came by (of several the
 * one that goes on, else the last), or the number of its history row. One that has not ended is
 * read from its slot, or from the requests that wait.
 * @throws OperatorError `run_missing`.
 */
export async function showRun(channel: Channel, id: string): Promise<RunShown> {
  const looks: [string, string][] = [
    [selectRun, id],
    [selectLaunch, id],
    // It may have ended between the two looks.
    [selectRun, id],
    [selectRequestHeld, id],
    [selectRequestWaiting, id],
    [selectRequestEnded, id],
  ];
  if (/^\d{1,18}$/.test(id)) looks.push([selectNumber, id]);
  for (const [sql, parameter] of looks) {
    const [row] = await channel.query<Row[]>(sql, [parameter]);
    if (row !== undefined) return runOf(row);
  }
  throw runMissing(id);
}

/** The output that is kept of a launch, as its bytes; null when none was written. */
export async function readOutput(channel: Channel, launchId: string): Promise<Uint8Array | null> {
  const [row] = await channel.query<Row[]>(selectOutput, [launchId]);
  return (row?.output as Uint8Array | undefined) ?? null;
}

export function runMissing(id: string): OperatorError {
  return new OperatorError({
    code: 'run_missing',
    message: `There is no run with the id ${JSON.stringify(id)}.`,
    hint: 'See the launch ids: statecron runs, or statecron runs --running',
  });
}

const selectRun = `/* showRun */ SELECT ${runColumns} WHERE run.launch_id = ?`;
const selectLaunch = `/* showRun launch */ SELECT ${launchColumns} WHERE slot.launch_id = ?`;
const selectRequestHeld = `/* showRun held */ SELECT ${launchColumns}
  WHERE slot.state IN ('prepare', 'executing') AND slot.request_id = ? LIMIT 1`;
const selectRequestWaiting = `/* showRun waiting */ SELECT ${pendingColumns}
  WHERE pending.request_id = ? ORDER BY pending.not_before, pending.pending_id LIMIT 1`;
const selectRequestEnded = `/* showRun request */ SELECT ${runColumns}
  WHERE run.request_id = ? ORDER BY run.run_id DESC LIMIT 1`;
const selectNumber = `/* showRun number */ SELECT ${runColumns} WHERE run.run_id = ?`;
const selectOutput = '/* readOutput */ SELECT output FROM run_output WHERE launch_id = ?';
