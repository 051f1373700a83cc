import type { JSX } from 'preact';
import { type Answer, callApi } from '../api/callApi.ts';
import { whyNotAdministrator } from '../api/session.ts';
import { Asked, confirm } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { countOf } from '../text/formatNumber.ts';
import { showLine } from '../text/showControls.ts';
import { type End, EndFields } from './endFields.tsx';

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
  const isMeant = await confirm({
    title: `Mute ${wordsOf(muted)}`,
    body: <EndFields end={wishes} says={muted.kind === 'target' ? saysOfTarget : saysOfJobs} />,
    act: 'Mute alerts',
  });
  if (isMeant) await putMute(wishes);
}

/** Asks until when, once for all of them. @returns whether it was done */
export async function muteJobs(jobs: readonly string[]): Promise<boolean> {
  const wishes: Wishes = { kind: 'job', name: '', until: '1h', note: '' };
  const count = countOf(jobs.length, 'job');
  const isMeant = await confirm({
    title: `Mute the alerts of ${count}`,
    body: <EndFields end={wishes} says={saysOfJobs} />,
    act: `Mute ${count}`,
  });
  if (!isMeant) return false;
  for (const name of jobs) await sendMute({ ...wishes, name });
  say({ text: `The alerts of ${count} are muted.`, hint: hintOfMute });
  return true;
}

/** Asks what, and until when. */
export async function muteAny(): Promise<void> {
  const wishes: Wishes = { kind: 'job', name: '', until: '1h', note: '' };
  const body = (
    <>
      <MutedFields wishes={wishes} />
      <EndFields end={wishes} says={`${saysOfJobs} A target is sent nothing but tests.`} />
    </>
  );
  if (await confirm({ title: 'Mute alerts', body, act: 'Mute alerts' })) await putMute(wishes);
}

export async function unmute({ kind, name }: Muted): Promise<void> {
  await callApi('DELETE /notify/mutes/{kind}/{name}', { path: { kind, name } });
  const text = {
    job: `Alerts of ${showLine(name)} are sent again.`,
    group: `Alerts of the group ${showLine(name)} are sent again.`,
    target: `${showLine(name)} is sent alerts again.`,
  }[kind];
  say({ text, hint: 'What was held back is not sent.' });
}

const hintOfMute = 'What fails until then is in the log of notifications, and is not sent later.';

async function putMute(wishes: Wishes): Promise<void> {
  await sendMute(wishes);
  const [first = '', ...rest] = wordsOf(wishes);
  say({ text: `${first.toUpperCase()}${rest.join('')} are muted.`, hint: hintOfMute });
}

async function sendMute({ kind, name, note, until }: Wishes): Promise<void> {
  const body = { until, ...(note === '' ? {} : { note }) };
  await callApi('PUT /notify/mutes/{kind}/{name}', { path: { kind, name }, body });
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
const saysOfJobs =
  'Failures, missed ticks and long runs are not sent to anybody. The jobs run as before. ' +
  saysOfQueued;
const saysOfTarget = `It is sent nothing but tests. The jobs run as before. ${saysOfQueued}`;
