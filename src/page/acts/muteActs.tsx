import type { JSX } from 'preact';
import { type Answer, callApi } from '../api/callApi.ts';
import { whyNotAdministrator } from '../api/session.ts';
import { Asked, ask } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { zone } from '../state/choices.ts';
import { countOf } from '../text/formatNumber.ts';
import { formatTime, zoneName } from '../text/formatTime.ts';
import { showLine } from '../text/showControls.ts';
import { type End, EndFields, untilOf } from './endFields.tsx';

type Muted = Pick<Answer<'GET /notify/mutes'>['items'][number], 'kind' | 'name'>;

/** Asks until when. Throws ApiProblem, as the others do. */
export async function muteJob(job: string): Promise<void> {
  await mute({ kind: 'job', name: job });
}

export async function unmuteJob(job: string): Promise<void> {
  await unmute({ kind: 'job', name: job });
}

/** Asks until when. */
export async function mute(muted: Muted): Promise<void> {
  const wishes: Wishes = { ...muted, until: '1h', note: '' };
  const isNotified = await hasTarget();
  const says = muted.kind === 'target' ? saysOfTarget : saysOfJobs(isNotified);
  const question = {
    title: `Mute ${wordsOf(muted)}`,
    body: <EndFields end={wishes} says={says} />,
    act: 'Mute alerts',
  };
  await ask(question, () => putMute(wishes, isNotified));
}

/** Asks until when, once for all of them. @returns whether it was done */
export async function muteJobs(jobs: readonly string[]): Promise<boolean> {
  const wishes: Wishes = { kind: 'job', name: '', until: '1h', note: '' };
  const count = countOf(jobs.length, 'job');
  const isNotified = await hasTarget();
  const question = {
    title: `Mute the alerts of ${count}`,
    body: <EndFields end={wishes} says={saysOfJobs(isNotified)} />,
    act: `Mute ${count}`,
  };
  const isDone = await ask(question, async () => {
    let until = '';
    for (const name of jobs) until = await sendMute({ ...wishes, name });
    say({ text: `The alerts of ${count} are muted.`, hint: hintOfMute(until, isNotified) });
    return true;
  });
  return isDone === true;
}

/** Asks what, and until when. */
export async function muteAny(): Promise<void> {
  const wishes: Wishes = { kind: 'job', name: '', until: '1h', note: '' };
  const isNotified = await hasTarget();
  const says = `${saysOfJobs(isNotified)} A target is sent nothing but tests.`;
  const body = (
    <>
      <MutedFields wishes={wishes} />
      <EndFields end={wishes} says={says} />
    </>
  );
  await ask({ title: 'Mute alerts', body, act: 'Mute alerts' }, () => putMute(wishes, isNotified));
}

export async function unmute({ kind, name }: Muted): Promise<void> {
  await callApi('DELETE /notify/mutes/{kind}/{name}', { path: { kind, name } });
  const text = {
    job: `Alerts of ${showLine(name)} are sent again.`,
    group: `Alerts of the group ${showLine(name)} are sent again.`,
    target: `${showLine(name)} is sent alerts again.`,
  }[kind];
  say({ text, hint: 'What was held back is not sent.', about: `alerts ${kind} ${name}` });
}

/** Whether anybody is notified of anything; null: that is not for the reader to know. */
async function hasTarget(): Promise<boolean | null> {
  if (whyNotAdministrator() !== null) return null;
  return (await callApi('GET /notify/targets')).items.length > 0;
}

const noTarget = 'There is no target: nobody is notified of anything, muted or not.';

function hintOfMute(until: string, isNotified: boolean | null): string {
  const ms = Date.parse(until);
  const end = `${formatTime(ms, zone.value, Date.now())} ${zoneName(zone.value, ms)}`;
  if (isNotified === false) return `Until ${end}. ${noTarget}`;
  const failed = `What fails until ${end}`;
  if (isNotified) return `${failed} is in the log of notifications, and is not sent later.`;
  return `${failed} is not sent later. Administrators of all groups see who is notified.`;
}

async function putMute(wishes: Wishes, isNotified: boolean | null): Promise<void> {
  const until = await sendMute(wishes);
  const [first = '', ...rest] = wordsOf(wishes);
  say({
    text: `${first.toUpperCase()}${rest.join('')} are muted.`,
    hint: hintOfMute(until, isNotified),
    about: `alerts ${wishes.kind} ${wishes.name}`,
  });
}

/** @returns until when it is, as an instant */
async function sendMute(wishes: Wishes): Promise<string> {
  const { kind, name, note } = wishes;
  const body = { until: untilOf(wishes), ...(note === '' ? {} : { note }) };
  const path = { kind, name };
  const { mute: made } = await callApi('PUT /notify/mutes/{kind}/{name}', { path, body });
  return made?.until ?? '';
}

function wordsOf({ kind, name }: Muted): string {
  const shown = showLine(name);
  if (kind === 'target') return `all alerts to ${shown}`;
  return kind === 'group' ? `the alerts of the group ${shown}` : `the alerts of ${shown}`;
}

/** What is filled in while the question is open. */
interface Wishes extends End {
  kind: Muted['kind'];
  name: string;
}

const kinds = { job: 'a job', group: 'a group of jobs', target: 'a target' } as const;

function MutedFields({ wishes }: { readonly wishes: Wishes }): JSX.Element {
  const mayMuteTargets = whyNotAdministrator() === null;
  return (
    <>
      <label class="asked">
        What
        <select
          onChange={({ currentTarget }) => {
            wishes.kind = currentTarget.value as Muted['kind'];
          }}
        >
          {Object.entries(kinds)
            .filter(([kind]) => kind !== 'target' || mayMuteTargets)
            .map(([kind, word]) => (
              <option key={kind} value={kind}>
                {word}
              </option>
            ))}
        </select>
      </label>
      <Asked
        label="Its name"
        onText={(text) => {
          wishes.name = text.trim();
        }}
      />
    </>
  );
}

const saysOfQueued = 'What waits to be sent already is held back, too.';
const saysOfJobs = (isNotified: boolean | null) =>
  'Failures, missed ticks and long runs are not sent to anybody. The jobs run as before. ' +
  (isNotified === false ? noTarget : saysOfQueued);
const saysOfTarget = `It is sent nothing but tests. The jobs run as before. ${saysOfQueued}`;
