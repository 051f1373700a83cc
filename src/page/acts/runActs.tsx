import { callApi } from '../api/callApi.ts';
import { ask } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { goTo } from '../state/place.ts';
import { showLine } from '../text/showControls.ts';
import { askVariables } from './askVariables.tsx';

interface RetriedRun {
  readonly job: string;
  readonly launchId: string | null;
  /** Names of those that it had for itself alone. */
  readonly variables?: readonly string[] | undefined;
}

/** Asks first. Throws ApiProblem, as those below do. */
export async function stopRun(run: string): Promise<void> {
  const question = {
    title: 'Stop this run?',
    body: <p>Its command and all its processes are ended. What they did is not undone.</p>,
    act: 'Stop the run',
    isDanger: true,
  };
  await ask(question, async () => {
    const { answer } = await callApi('POST /runs/{run}/stop', { path: { run }, body: {} });
    say({ text: stopWords[answer] });
  });
}

const stopWords = {
  withdrawn: 'It had not started, and never will.',
  asked: 'Its node ends it.',
  ended: 'It had been stopped already.',
} as const;

/**
 * Asks first, and with which variables, and goes to the new run where that is a request's; true:
 * it is an attempt of the same tick, which has no id until it starts.
 */
export async function retryRun({ job, launchId, variables }: RetriedRun): Promise<boolean> {
  if (launchId === null) return false;
  const question = {
    job,
    again: variables ?? [],
    title: `Run this tick of ${showLine(job)} again?`,
    says: 'The run that has ended stays in the history as it is.',
    act: 'Run it again',
  };
  const made = await askVariables(question, (env) => {
    const body = Object.keys(env).length === 0 ? {} : { env };
    return callApi('POST /runs/{run}/retry', { path: { run: launchId }, body });
  });
  if (made === undefined) return false;
  const which =
    made.attempt === 1
      ? `A run of ${showLine(job)} for the same tick, with these variables,`
      : `Attempt ${made.attempt} of this tick of ${showLine(job)}`;
  const text = `${which} ${made.isNew ? 'is requested' : 'was requested already'}.`;
  say({ text });
  if (made.requestId === null) return true;
  goTo(['runs', made.requestId]);
  return false;
}
