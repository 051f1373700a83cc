import type { RunView } from '../../http/contract/runContract.ts';

/** A run as people name it: by its number in the history; until it has one, by its launch. */
export function runName({ launchId, runId }: Pick<RunView, 'launchId' | 'runId'>): string {
  if (runId !== null) return `run ${runId}`;
  return launchId === null ? 'a run that waits' : `launch ${launchId}`;
}

/** The command that shows what an ended run wrote, or where it wrote nothing what became of it. */
export function seeRun(run: Pick<RunView, 'launchId' | 'runId' | 'outputBytes'>): string {
  const id = run.runId ?? run.launchId;
  return run.outputBytes > 0 ? `see: statecron run log ${id}` : `see: statecron run show ${id}`;
}
