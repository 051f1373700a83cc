import { pauseJob, resumeJob, runJob } from '../acts/jobActs.tsx';
import { ApiProblem } from '../api/apiProblem.ts';
import { type Answer, callApi } from '../api/callApi.ts';
import { whyNotAllowed } from '../api/session.ts';
import { say } from '../parts/messages.tsx';
import { type Pick, pick } from '../pick/pickDialog.tsx';
import { pickZone } from '../pick/pickZone.ts';
import { goTo, place } from '../state/place.ts';
import { showLine } from '../text/showControls.ts';
import type { Screen } from './screen.ts';

type Job = Answer<'GET /jobs'>['items'][number];

const jobsMax = '8';

/** Ctrl-K: to any job by a part of its name, to any screen, or an act on the job that is shown. */
export function goAnywhere(screens: readonly Screen[]): void {
  const { path } = place.value;
  const atHand = path[0] === 'jobs' ? path[1] : undefined;
  pick({
    label: 'Go to a job or a screen',
    find: async (text, signal) => {
      const words = text.trim().toLowerCase();
      const [jobs, shown] = await Promise.all([
        words === '' ? [] : readJobs({ text: text.trim(), limit: jobsMax }, signal),
        atHand === undefined ? [] : readJobs({ name: [atHand] }, signal),
      ]);
      const isMatch = (each: Pick) => each.text.toLowerCase().includes(words);
      const others = [...screens.flatMap(placeOf), zones];
      const own = [...shown.flatMap(actsOn), ...others].filter(isMatch);
      return [...own, ...jobs.map(jobPick)];
    },
  });
}

const zones: Pick = { text: 'Show times in another zone', act: pickZone };

/** None while the node does not answer: screens are there all the same. */
async function readJobs(query: object, signal: AbortSignal): Promise<readonly Job[]> {
  try {
    return (await callApi('GET /jobs', { query, signal })).items;
  } catch (error) {
    if (error instanceof ApiProblem || signal.aborted) return [];
    throw error;
  }
}

function jobPick({ group, job }: Job): Pick {
  const more = group === 'default' ? 'job' : `job of ${showLine(group)}`;
  return { text: showLine(job), more, act: () => goTo(['jobs', job]) };
}

function placeOf({ inNavigation, letter, needs, path, title }: Screen): Pick[] {
  if (letter === undefined) return [];
  const whyNot = needs === undefined ? null : whyNotAllowed(needs);
  const act = () => goTo(path);
  return [{ text: inNavigation?.word ?? title, more: `g ${letter}`, whyNot, act }];
}

function actsOn({ job, paused }: Job): Pick[] {
  const whyNot = whyNotAllowed('operator');
  const name = showLine(job);
  const pauses = paused
    ? { text: `Resume ${name}`, act: said(() => resumeJob(job)) }
    : { text: `Pause ${name}`, act: said(() => pauseJob(job)) };
  return [
    { text: `Run ${name} now`, whyNot, act: said(() => runJob(job)) },
    { ...pauses, whyNot },
    { text: `Edit ${name}`, whyNot, act: () => goTo(['jobs', job, 'edit']) },
  ];
}

function said(act: () => Promise<void>): () => Promise<void> {
  return () =>
    act().catch((error: unknown) => {
      if (!(error instanceof ApiProblem)) throw error;
      say({ text: error.message, hint: error.hint, isBad: true });
    });
}
