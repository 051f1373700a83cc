import { callApi } from '../api/callApi.ts';
import { confirm } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { linkTo } from '../state/place.ts';
import { showLine } from '../text/showControls.ts';

/** Asks first. Throws ApiProblem, as those below do. */
export async function stopRun(run: string): Promise<void> {
  const isMeant = await confirm({
    title: 'Stop this run?',
    body: <p>Its command and all its processes are ended. What they did is not undone.</p>,
    act: 'Stop the run',
    isDanger: true,
  });
  if (!isMeant) return;
  const { answer } = await callApi('POST /runs/{run}/stop', { path: { run }, body: {} });
  say({ text: stopWords[answer] });
}

const stopWords = {
  withdrawn: 'It had not started, and never will.',
  asked: 'Its node ends it.',
  ended: 'It had been stopped already.',
} as const;

export async function retryRun({ job, launchId }: { job: string; launchId: string | null }) {
  if (launchId === null) return;
  const made = await callApi('POST /runs/{run}/retry', { path: { run: launchId } });
  const text = made.isNew
    ? `Attempt ${made.attempt} of ${showLine(job)} is requested.`
    : `Attempt ${made.attempt} was requested already.`;
  say({ text, link: { to: linkTo(['jobs', made.job]), text: 'Show the runs of the job' } });
}
