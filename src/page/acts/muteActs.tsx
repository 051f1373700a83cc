import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { type Answer, callApi } from '../api/callApi.ts';
import { whyNotAllGroups, whyNotAllowed } from '../api/session.ts';
import { Asked, confirm } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { localZone } from '../text/formatTime.ts';
import { showLine } from '../text/showControls.ts';

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
    title: `Mute ${wordsOf(muted)}?`,
    body: <MuteFields wishes={wishes} says={muted.kind === 'target' ? saysOfTarget : saysOfJobs} />,
    act: 'Mute alerts',
  });
  if (isMeant) await putMute(wishes);
}

/** Asks what, and until when. */
export async function muteAny(): Promise<void> {
  const wishes: Wishes = { kind: 'job', name: '', until: '1h', note: '' };
  const body = (
    <>
      <MutedFields wishes={wishes} />
      <MuteFields wishes={wishes} says={`${saysOfJobs} A target is sent nothing but tests.`} />
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

async function putMute({ kind, name, note, until }: Wishes): Promise<void> {
  const body = { until, ...(note === '' ? {} : { note }) };
  await callApi('PUT /notify/mutes/{kind}/{name}', { path: { kind, name }, body });
  const hint = 'What fails until then is in the log of notifications, and is not sent later.';
  const [first = '', ...rest] = wordsOf({ kind, name });
  say({ text: `${first.toUpperCase()}${rest.join('')} are muted.`, hint });
}

function wordsOf({ kind, name }: Muted): string {
  const shown = showLine(name);
  if (kind === 'target') return `all alerts to ${shown}`;
  return kind === 'group' ? `the alerts of the group ${shown}` : `the alerts of ${shown}`;
}

/** What is filled in while the question is open. */
interface Wishes {
  kind: Muted['kind'];
  name: string;
  until: string;
  note: string;
}

const kinds = { job: 'a job', group: 'a group of jobs', target: 'a target' } as const;

function MutedFields({ wishes }: { readonly wishes: Wishes }): JSX.Element {
  const mayMuteTargets = whyNotAllowed('admin') === null && whyNotAllGroups() === null;
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

const saysOfJobs =
  'Failures, missed ticks and long runs are not sent to anybody. What is muted runs as ever.';
const saysOfTarget = 'It is sent nothing but tests. Jobs run as ever.';

const lengths = { '1h': '1 hour', '8h': '8 hours' } as const;

interface FieldsProps {
  readonly wishes: Wishes;
  readonly says: string;
}

function MuteFields({ says, wishes }: FieldsProps): JSX.Element {
  const chosen = useSignal<keyof typeof lengths | 'at'>('1h');
  const at = useSignal(tomorrow());
  useSignalEffect(() => {
    // An end that is not whole is refused, with how to write it.
    const end = new Date(at.value);
    const instant = Number.isNaN(end.getTime()) ? at.value : end.toISOString();
    wishes.until = chosen.value === 'at' ? instant : chosen.value;
  });
  const choice = (value: keyof typeof lengths | 'at', text: string) => (
    <label class="check">
      <input
        type="radio"
        name="until"
        checked={chosen.value === value}
        onChange={() => {
          chosen.value = value;
        }}
      />
      {text}
    </label>
  );
  return (
    <>
      <p>{says}</p>
      <fieldset class="choices">
        <legend class="unseen">For how long</legend>
        {choice('1h', lengths['1h'])}
        {choice('8h', lengths['8h'])}
        <span class="check">
          {choice('at', 'until')}
          <input
            type="datetime-local"
            aria-label={`Until, in ${localZone}`}
            value={at.value}
            onInput={({ currentTarget }) => {
              at.value = currentTarget.value;
              chosen.value = 'at';
            }}
          />
        </span>
      </fieldset>
      <Asked
        label="Why, for others to read"
        onText={(text) => {
          wishes.note = text;
        }}
      />
    </>
  );
}

/** At nine in the morning by this browser's clock, as the field has it. */
function tomorrow(): string {
  const day = new Date(Date.now() + 86_400_000);
  const two = (number: number) => `${number}`.padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}T09:00`;
}
