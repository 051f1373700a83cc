import { pauseJob, removeJob, resumeJob, runJob } from '../acts/jobActs.tsx';
import { muteJob, unmuteJob } from '../acts/muteActs.tsx';
import { ApiProblem } from '../api/apiProblem.ts';
import { type Answer, callApi } from '../api/callApi.ts';
import { whyNotAllowed } from '../api/session.ts';
import { sayProblem } from '../parts/messages.tsx';
import { type PickItem, pick } from '../pick/pickDialog.tsx';
import { pickZone } from '../pick/pickZone.ts';
import { jumpTo, place } from '../state/place.ts';
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
        atHand === undefined ? [] : readActs(atHand, signal),
      ]);
      const isMatch = (each: PickItem) => each.text.toLowerCase().includes(words);
      const others = [...screens.flatMap(placeOf), zones];
      const own = [...shown, ...others].filter(isMatch);
      return [...own, ...jobs.map(jobPick)];
    },
  });
}

const zones: PickItem = { text: 'Show times in another zone', act: pickZone };

const readJobs = async (query: object, signal: AbortSignal): Promise<readonly Job[]> =>
  (await known(callApi('GET /jobs', { query, signal }), signal))?.items ?? [];

const readMutes = async (signal: AbortSignal) =>
  (await known(callApi('GET /notify/mutes', { signal }), signal))?.items ?? [];

/** Nothing while the node does not answer: screens are there all the same. */
async function known<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiProblem || signal.aborted) return null;
    throw error;
  }
}

function jobPick({ group, job }: Job): PickItem {
  const more = group === 'default' ? 'job' : `job of ${showLine(group)}`;
  return { text: showLine(job), more, act: () => jumpTo(['jobs', job]) };
}

function placeOf({ inNavigation, letter, needs, path, title }: Screen): PickItem[] {
  if (letter === undefined) return [];
  const whyNot = needs === undefined ? null : whyNotAllowed(needs);
  const act = () => jumpTo(path);
  return [{ text: inNavigation?.word ?? title, more: `g ${letter}`, whyNot, act }];
}

async function readActs(name: string, signal: AbortSignal): Promise<PickItem[]> {
  const [jobs, muted] = await Promise.all([readJobs({ name: [name] }, signal), readMutes(signal)]);
  const isMuted = muted.some((mute) => mute.kind === 'job' && mute.name === name);
  return jobs.flatMap((job) => actsOn(job, isMuted));
}

function actsOn({ job, paused }: Job, isMuted: boolean): PickItem[] {
  const whyNot = whyNotAllowed('operator');
  const name = showLine(job);
  const pauses = paused
    ? { text: `Resume ${name}`, act: said(() => resumeJob(job)) }
    : { text: `Pause ${name}`, act: said(() => pauseJob(job)) };
  return [
    { text: `Run ${name} now`, whyNot, act: said(() => runJob(job)) },
    { ...pauses, whyNot },
    { text: `Edit ${name}`, whyNot, act: () => jumpTo(['jobs', job, 'edit']) },
    isMuted
      ? { text: `Unmute the alerts of ${name}`, whyNot, act: said(() => unmuteJob(job)) }
      : { text: `Mute the alerts of ${name}`, whyNot, act: said(() => muteJob(job)) },
    { text: `Remove ${name}`, whyNot, act: said(() => removeJob(job)) },
  ];
}

function said(act: () => Promise<void>): () => Promise<void> {
  return () => act().catch(sayProblem);
}
