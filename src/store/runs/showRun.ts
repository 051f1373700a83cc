import { OperatorError } from '../../domain/errors.ts';
import type { Channel, Row } from '../channel.ts';
import { launchColumns, type RunShown, runColumns, runOf } from './runRow.ts';

/**
 * One launch: its history row, or its slot while it has none.
 * @throws OperatorError `run_missing`.
 */
export async function showRun(channel: Channel, launchId: string): Promise<RunShown> {
  const run = await readRun(channel, launchId);
  if (run !== null) return run;
  const [slot] = await channel.query<Row[]>(selectLaunch, [launchId]);
  if (slot !== undefined) return runOf(slot);
  // It may have ended between the two looks.
  const ended = await readRun(channel, launchId);
  if (ended !== null) return ended;
  throw runMissing(launchId);
}

/** The output that is kept of a launch, as its bytes; null when none was written. */
export async function readOutput(channel: Channel, launchId: string): Promise<Uint8Array | null> {
  const [row] = await channel.query<Row[]>(selectOutput, [launchId]);
  return (row?.output as Uint8Array | undefined) ?? null;
}

export function runMissing(launchId: string): OperatorError {
  return new OperatorError({
    code: 'run_missing',
    message: `There is no run with the launch id ${JSON.stringify(launchId)}.`,
    hint: 'See the launch ids: statecron runs, or statecron runs --running',
  });
}

async function readRun(channel: Channel, launchId: string): Promise<RunShown | null> {
  const [row] = await channel.query<Row[]>(selectRun, [launchId]);
  return row === undefined ? null : runOf(row);
}

const selectRun = `/* showRun */ SELECT ${runColumns} WHERE run.launch_id = ?`;
const selectLaunch = `/* showRun launch */ SELECT ${launchColumns} WHERE slot.launch_id = ?`;
const selectOutput = '/* readOutput */ SELECT output FROM run_output WHERE launch_id = ?';
