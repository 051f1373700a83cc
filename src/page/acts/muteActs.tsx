import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { type Answer, callApi } from '../api/callApi.ts';
import { whyNotAdministrator } from '../api/session.ts';
import { Asked, confirm } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { zone } from '../state/choices.ts';
import { countOf } from '../text/formatNumber.ts';
import { zoneName, zoneOffsetMs } from '../text/formatTime.ts';
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
    title: `Mute ${wordsOf(muted)}`,
    body: <MuteFields wishes={wishes} says={muted.kind === 'target' ? saysOfTarget : saysOfJobs} />,
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
    body: <MuteFields wishes={wishes} says={saysOfJobs} />,
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
interface Wishes {
  kind: Muted['kind'];
  name: string;
  until: string;
  note: string;
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
    wishes.until = chosen.value === 'at' ? (instantOf(at.value) ?? at.value) : chosen.value;
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
            type="text"
            class="when"
            placeholder="YYYY-MM-DD HH:MM"
            aria-label={`Until, in ${zoneName(zone.value, Date.now())}`}
            value={at.value}
            onInput={({ currentTarget }) => {
              at.value = currentTarget.value;
              chosen.value = 'at';
            }}
          />
          {zoneName(zone.value, Date.now())}
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

/** At nine in the morning by the reader's clock, as the field has it. */
function tomorrow(): string {
  const ms = Date.now() + 86_400_000;
  const local = new Date(ms + zoneOffsetMs(zone.value, ms));
  return `${local.toISOString().slice(0, 10)} 09:00`;
}

/** Of `2026-11-27 09:00` by the reader's clock; null: it is written in another way. */
function instantOf(text: string): string | null {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)$/.exec(text.trim()) ?? [];
  const local = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(local)) return null;
  const nearMs = local - zoneOffsetMs(zone.value, local);
  return new Date(local - zoneOffsetMs(zone.value, nearMs)).toISOString();
}
