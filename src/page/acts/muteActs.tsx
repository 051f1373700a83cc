import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { callApi } from '../api/callApi.ts';
import { confirm } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { localZone } from '../text/formatTime.ts';
import { showLine } from '../text/showControls.ts';

/** Asks until when. Throws ApiProblem, as the other does. */
export async function muteJob(job: string): Promise<void> {
  const wishes: Wishes = { until: '1h', note: '' };
  const isMeant = await confirm({
    title: `Mute the alerts of ${showLine(job)}?`,
    body: <MuteFields wishes={wishes} />,
    act: 'Mute alerts',
  });
  if (!isMeant) return;
  const { until, note } = wishes;
  const body = { until, ...(note === '' ? {} : { note }) };
  await callApi('PUT /notify/mutes/{kind}/{name}', { path: { kind: 'job', name: job }, body });
  const hint = 'What fails until then is in the log of notifications, and is not sent later.';
  say({ text: `The alerts of ${showLine(job)} are muted.`, hint });
}

export async function unmuteJob(job: string): Promise<void> {
  await callApi('DELETE /notify/mutes/{kind}/{name}', { path: { kind: 'job', name: job } });
  say({ text: `Alerts of ${showLine(job)} are sent again.` });
}

/** What is filled in while the question is open. */
interface Wishes {
  until: string;
  note: string;
}

const lengths = { '1h': '1 hour', '8h': '8 hours' } as const;

function MuteFields({ wishes }: { readonly wishes: Wishes }): JSX.Element {
  const chosen = useSignal<keyof typeof lengths | 'at'>('1h');
  const at = useSignal(tomorrow());
  useSignalEffect(() => {
    // An end that is not whole is refused, with how to write it.
    const end = new Date(at.value);
    const instant = Number.isNaN(end.getTime()) ? at.value : end.toISOString();
    wishes.until = chosen.value === 'at' ? instant : chosen.value;
  });
  const choice = (value: keyof typeof lengths | 'at', text: string) => (
    <label>
      <input
        type="radio"
        name="until"
        checked={chosen.value === value}
        onChange={() => {
          chosen.value = value;
        }}
      />{' '}
      {text}
    </label>
  );
  return (
    <>
      <p>Failures, missed ticks and long runs are not sent to anybody. The job runs as ever.</p>
      <fieldset class="choices">
        <legend class="unseen">For how long</legend>
        {choice('1h', lengths['1h'])}
        {choice('8h', lengths['8h'])}
        <span>
          {choice('at', 'until')}{' '}
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
      <label class="asked">
        Why, for others to read
        <input
          type="text"
          maxLength={500}
          onInput={({ currentTarget }) => {
            wishes.note = currentTarget.value;
          }}
        />
      </label>
    </>
  );
}

/** At nine in the morning by this browser's clock, as the field has it. */
function tomorrow(): string {
  const day = new Date(Date.now() + 86_400_000);
  const two = (number: number) => `${number}`.padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}T09:00`;
}
