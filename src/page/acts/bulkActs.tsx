import { ApiProblem } from '../api/apiProblem.ts';
import { type Answer, type CallInput, callApi } from '../api/callApi.ts';
import { ask } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { countOf } from '../text/formatNumber.ts';
import { showLine } from '../text/showControls.ts';
import type { End } from './endFields.tsx';
import { NamesOf } from './namesOf.tsx';
import { bodyOfPause, PauseFields } from './pauseFields.tsx';

type BulkBody = NonNullable<CallInput<'POST /bulk/jobs'>['body']>;
type BulkFilter = BulkBody['filter'];
export type BulkAction = BulkBody['action'];
type BulkJobs = Answer<'POST /bulk/jobs'>['jobs'];

/** What is said before and after. */
const words = {
  pause: {
    ...{
      verb: 'Pause',
      done: 'paused',
      says: 'No run of them starts by its schedule from then on.',
    },
    others: 'paused already',
  },
  resume: {
    ...{ verb: 'Resume', done: 'resumed', says: 'Ticks that passed meanwhile do not run.' },
    others: 'not paused',
  },
  run: { verb: 'Run', done: 'requested to run', says: 'Each runs once, beside its schedule.' },
  remove: { verb: 'Remove', done: 'removed', says: 'Their history and outputs are kept.' },
} as const;

/**
 * Does something to all jobs that a filter matches, after it has asked with their number: when
 * another number matches by then, the node changes nothing and says so. Throws ApiProblem.
 * @param selected how many the reader sees selected; 0: that is not known
 * @returns whether it was done
 */
export async function actOnJobs(
  action: BulkAction,
  filter: BulkFilter,
  selected: number,
): Promise<boolean> {
  const isTogether = action === 'pause' && isScope(filter);
  return act({ action, filter, ...(isTogether && { together: true }) }, selected);
}

/** The same, of just the jobs that a pause of such a filter paused. */
export function resumeTogether(filter: BulkFilter): Promise<boolean> {
  return act({ action: 'resume', filter, together: true });
}

/** Whether the node keeps together what is paused by it, so that it is resumed together. */
function isScope(filter: BulkFilter): boolean {
  const [condition, ...others] = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (condition === undefined) return true;
  const [name, value] = condition;
  return others.length === 0 && ['group', 'tag'].includes(name) && [value].flat().length === 1;
}

async function act(body: BulkBody, selected = 0): Promise<boolean> {
  const { action } = body;
  const { jobs: matching, matched } = await callApi('POST /bulk/jobs', {
    body: { ...body, dryRun: true },
  });
  const { done, others, says, verb } = { others: null, ...words[action] };
  if (matched === 0) {
    say({ text: `None of them has to be ${done}.` });
    return false;
  }
  const count = countOf(matched, 'job');
  const left = selected - matched;
  const end: End = { until: '', note: '' };
  const isPause = action === 'pause';
  const question = {
    title: `${verb} ${count}?`,
    body: (
      <>
        {isPause ? <PauseFields {...{ end, says }} resumed="they are resumed" /> : <p>{says}</p>}
        {others !== null && left > 0 && (
          <p class="quiet">
            {countOf(left, 'other job is', 'other jobs are')} {others}.
          </p>
        )}
        {/* The node looks at the newest first. */}
        <NamesOf names={matching.map(({ job }) => job).sort()} count={matched} />
      </>
    ),
    ...{ act: `${verb} ${count}`, isDanger: action === 'remove' },
  };
  const changed = await ask(question, () =>
    callInParts({ ...body, ...(isPause ? bodyOfPause(end) : {}), expected: matched }),
  );
  if (changed === undefined) return false;
  const refused = changed.filter(({ outcome }) => outcome === 'refused');
  const text = `${countOf(changed.length - refused.length, 'job is', 'jobs are')} ${done}.`;
  const [first] = refused;
  if (first === undefined) say({ text, about: 'jobs' });
  else {
    const which = `${countOf(refused.length, 'job')} refused it, among them ${showLine(first.job)}`;
    say({ text, hint: `${which}: ${first.detail ?? ''}`, isBad: true });
  }
  return true;
}

/** The node changes some of them with each request. */
async function callInParts(body: BulkBody): Promise<BulkJobs> {
  const { expected, ...further } = body;
  let part = await callApi('POST /bulk/jobs', { body });
  const jobs = [...part.jobs];
  while (part.next !== null) {
    const { next: after, requestId } = part;
    const rest = { ...further, after, ...(requestId !== null && { requestId }) };
    try {
      part = await callApi('POST /bulk/jobs', { body: rest });
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      const text = `${countOf(jobs.length, 'job was', 'jobs were')} done, ${part.left} are left.`;
      say({ text: `${error.message} ${text}`, hint: error.hint, isBad: true });
      return jobs;
    }
    jobs.push(...part.jobs);
  }
  return jobs;
}

/** A filter that matches what a list of jobs shows by its conditions. */
export function filterOf(conditions: NonNullable<CallInput<'GET /jobs'>['query']>): BulkFilter {
  const { group, lastResult, node, reason, state, tag, text } = conditions;
  const results = lastResult === undefined ? undefined : [lastResult].flat();
  return {
    ...{ node, reason, state, text },
    ...(group !== undefined && { group: [group].flat() }),
    ...(tag !== undefined && { tag: [tag].flat() }),
    ...(results !== undefined && { lastResult: results as BulkFilter['lastResult'] }),
  };
}

export function namesFilter(names: readonly string[]): BulkFilter {
  return { name: [...names] };
}
