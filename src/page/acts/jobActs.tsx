import { type Answer, callApi } from '../api/callApi.ts';
import { ask } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { goTo, linkTo } from '../state/place.ts';
import { countOf } from '../text/formatNumber.ts';
import { showLine } from '../text/showControls.ts';
import { askVariables } from './askVariables.tsx';
import type { End } from './endFields.tsx';
import { bodyOfPause, PauseFields } from './pauseFields.tsx';

type StoppedJob = Pick<Answer<'GET /jobs/{job}'>, 'job' | 'pending' | 'slots'>;

/** Asks first. What one does with a job says what came of it, and throws ApiProblem. */
export async function runJob(job: string): Promise<void> {
  const question = {
    job,
    title: `Run ${showLine(job)} now?`,
    says: 'It runs once. If another run has to end first, it waits.',
    act: 'Run it now',
  };
  const made = await askVariables(question, (env) =>
    callApi('POST /jobs/{job}/run', { path: { job }, body: { env } }),
  );
  if (made === undefined) return;
  const link = { to: linkTo(['runs', made.requestId]), text: 'Show the run and its output' };
  say({ text: `A run of ${showLine(job)} is requested.`, link });
}

/** Asks until when. */
export async function pauseJob(job: string): Promise<void> {
  const end: End = { until: '', note: '' };
  const question = {
    title: `Pause ${showLine(job)}?`,
    body: (
      <PauseFields
        end={end}
        resumed="it is resumed"
        says="No run of it starts by its schedule from then on."
      />
    ),
    ...{ act: 'Pause it', isQuick: true },
  };
  const paused = await ask(question, () =>
    callApi('POST /jobs/{job}/pause', { path: { job }, body: bodyOfPause(end) }),
  );
  if (paused === undefined) return;
  const over = end.until === '' ? 'it is resumed' : 'the pause ends';
  const hint = paused.executing
    ? 'The run that had started continues.'
    : `No run starts by its schedule until ${over}.`;
  say({ text: `${showLine(job)} is paused.`, hint, about: `schedule ${job}` });
}

export async function resumeJob(job: string): Promise<void> {
  await callApi('POST /jobs/{job}/resume', { path: { job } });
  const hint = 'Ticks that passed during the pause do not run.';
  const text = `The schedule of ${showLine(job)} applies again.`;
  say({ text, hint, about: `schedule ${job}` });
}

/** Asks first. Stops its runs under way. */
export async function stopRunsOf({ job, pending, slots }: StoppedJob): Promise<void> {
  const launches = slots.flatMap(({ launchId, state }) =>
    state === 'executing' && launchId !== null ? [launchId] : [],
  );
  const runs = launches.length === 1 ? 'the run' : countOf(launches.length, 'run');
  const question = {
    title: `Stop ${runs} of ${showLine(job)}?`,
    body: (
      <>
        <p>The command and all its processes are ended. What they did is not undone.</p>
        {pending > 0 && (
          <p>{countOf(pending, 'launch waits', 'launches wait')} to start after it.</p>
        )}
      </>
    ),
    ...{ act: `Stop ${runs}`, isDanger: true },
  };
  await ask(question, async () => {
    for (const run of launches) {
      await callApi('POST /runs/{run}/stop', { path: { run }, body: {} });
    }
    say({ text: `${showLine(job)} is being stopped.` });
  });
}

/** Asks first. */
export async function removeJob(job: string): Promise<void> {
  const question = {
    title: `Remove ${showLine(job)}?`,
    body: (
      <p>
        Its schedule starts nothing any more. Its history and outputs are kept. A run that has
        started continues.
      </p>
    ),
    act: 'Remove the job',
    isDanger: true,
  };
  await ask(question, async () => {
    await callApi('DELETE /jobs/{job}', { path: { job } });
    say({ text: `${showLine(job)} is removed. Its history is kept.` });
    goTo(['jobs']);
  });
}

/** Asks first. */
export async function rollBackJob(job: string, revision: number): Promise<void> {
  const question = {
    title: `Go back to revision ${revision} of ${showLine(job)}?`,
    body: (
      <p>
        A new revision gets the definition of revision {revision}. Whether the job is paused, and
        the values of its secret variables, stay as they are.
      </p>
    ),
    act: `Go back to revision ${revision}`,
  };
  const made = await ask(question, () =>
    callApi('POST /jobs/{job}/rollback', { path: { job }, body: { revision } }),
  );
  if (made === undefined) return;
  const shown = showLine(job);
  const text = made.changed
    ? `${shown} has the definition of revision ${revision} again, as revision ${made.revision}.`
    : `${shown} was like revision ${revision} already.`;
  say({ text });
}
