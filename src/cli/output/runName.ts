import type { RunView } from '../../http/contract/runContract.ts';

/** A run as people name it: by its number in the history; until it has one, by its launch's id. */
export function runName({ launchId, runId }: Pick<RunView, 'launchId' | 'runId'>): string {
  const id = runId ?? launchId;
  return id === null ? 'a run that waits' : `run ${id}`;
}

type EndedRun = Pick<RunView, 'launchId' | 'runId' | 'outputBytes'>;

/** The command that shows what an ended run wrote, or where it wrote nothing what became of it. */
export function seeRun(run: EndedRun): string {
  return `see: ${commandOf(run)}`;
}

/** The same where it is the newest of a list. */
export function seeNewest(run: EndedRun): string {
  const what = run.outputBytes > 0 ? 'What the newest wrote' : 'More about the newest';
  return `${what}: ${commandOf(run)}`;
}

export function commandOf({ launchId, outputBytes, runId }: EndedRun): string {
  const id = runId ?? launchId;
  return outputBytes > 0 ? `statecron run log ${id}` : `statecron run show ${id}`;
}
