import { exitCodes } from '../domain/errors.ts';
import type { Channel } from '../store/channel.ts';
import type { RunShown } from '../store/runs/runRow.ts';
import { runMissing, showRun } from '../store/runs/showRun.ts';
import { stopRequest } from '../store/runs/stopRequest.ts';
import { type StopAnswer, stopRun } from '../store/runs/stopRun.ts';
import { waitForLaunch } from '../store/runs/waitForRequest.ts';
import type { DatabaseOptions } from './databaseOptions.ts';
import { printJson, printLine } from './print.ts';
import { runJson } from './runJson.ts';
import { resultText } from './runViews.ts';
import { withChannel } from './withChannel.ts';

/** `run stop`: of a request also what still waits for its turn. */
export async function stopRunAction(
  id: string,
  options: DatabaseOptions & { readonly json?: boolean; readonly wait?: boolean },
): Promise<number> {
  return withChannel(options, async (channel) => {
    const { answer, launchId, withdrawn } = await stop(channel, id);
    const run = options.wait && launchId !== null ? await waitForLaunch(channel, launchId) : null;
    if (options.json) {
      const ended = run === null ? {} : { run: runJson(run) };
      printJson({ launchId, answer, withdrawn, ...ended });
    } else if (run !== null) printLine(`${run.launchId}: ${resultText(run)}.`);
    else printLine(answers[answer].replace('ID', launchId ?? id));
    if (!options.json && withdrawn > 0 && launchId !== null) {
      printLine(`${withdrawn} more of the request had not started and never will.`);
    }
    return exitCodes.ok;
  });
}

interface Stopped {
  readonly answer: StopAnswer;
  readonly launchId: string | null;
  /** Launches of the request that waited for their turn. */
  readonly withdrawn: number;
}

async function stop(channel: Channel, id: string): Promise<Stopped> {
  const run = await findRun(channel, id);
  if (run === null) return { answer: await stopRun(channel, id), launchId: id, withdrawn: 0 };
  const { job, launchId, requestId } = run;
  // Only who names the request means all of it.
  const withdrawn = requestId === id ? await stopRequest(channel, job, requestId) : 0;
  if (launchId !== null && (run.result === null || withdrawn === 0)) {
    return { answer: await stopRun(channel, launchId), launchId, withdrawn };
  }
  if (withdrawn > 0) return { answer: 'withdrawn', launchId: null, withdrawn };
  // It was claimed between the two looks, or is a row of ticks that nothing was launched for.
  const again = await showRun(channel, id);
  if (again.launchId === null) throw runMissing(id);
  return { answer: await stopRun(channel, again.launchId), launchId: again.launchId, withdrawn };
}

/** Null: let the stop itself say what is wrong. */
async function findRun(channel: Channel, id: string): Promise<RunShown | null> {
  try {
    return await showRun(channel, id);
  } catch (error) {
    if ((error as { code?: string }).code === 'run_missing') return null;
    throw error;
  }
}

const answers = {
  withdrawn: 'ID is withdrawn: it had not started and never will.',
  asked: 'ID is being stopped; its node sends SIGTERM within seconds.',
  ended: 'ID was stopped before.',
} as const;
