import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Answer, CallInput } from '../api/callApi.ts';
import { Asked } from '../parts/confirm.tsx';

export type Target = Answer<'GET /notify/targets'>['items'][number];
type Rules = Pick<NonNullable<CallInput<'PATCH /notify/targets/{target}'>['body']>, RuleName>;
type RuleName = 'events' | 'longMs' | 'minuteMax';
type Event = Target['events'][number];

export const eventWords: Readonly<Record<Event, string>> = {
  failure: 'failures',
  recovery: 'recoveries',
  missed: 'missed ticks',
  'long-running': 'long runs',
  'node-lost': 'lost nodes',
};

const kinds: Readonly<Record<Target['kind'], { word: string; address: string }>> = {
  mail: { word: 'mail', address: 'Mail address' },
  webhook: { word: 'webhook: a signed CloudEvent', address: 'URL' },
  ping: { word: 'ping: a request at each start and end', address: 'URL' },
};

const minuteMs = 60_000;

/** What is filled in while the question is open. */
export class TargetWishes {
  name = '';
  kind: Target['kind'] = 'mail';
  address = '';
  readonly events: Set<Event>;
  longMinutes = '60';
  minuteMax = '';

  /** @param present what it is like; null: it is new */
  constructor(present: Target | null) {
    this.events = new Set(present?.events ?? ['failure', 'recovery', 'node-lost']);
    if (present === null) return;
    const { address, kind, longMs, minuteMax } = present;
    this.kind = kind;
    this.address = address;
    this.minuteMax = `${minuteMax}`;
    if (longMs !== null) this.longMinutes = `${longMs / minuteMs}`;
  }

  /** What is sent to it, as the API takes it. */
  rules(): Rules {
    const events = this.kind === 'ping' ? [] : [...this.events];
    const isLong = events.includes('long-running');
    return {
      events,
      longMs: isLong ? Math.round(Number(this.longMinutes) * minuteMs) : null,
      ...(this.minuteMax !== '' && { minuteMax: Number(this.minuteMax) }),
    };
  }
}

interface FieldsProps {
  readonly wishes: TargetWishes;
  readonly isNew: boolean;
}

export function TargetFields({ isNew, wishes }: FieldsProps): JSX.Element {
  const kind = useSignal(wishes.kind);
  return (
    <>
      {isNew && (
        <>
          <Asked
            label="Name"
            onText={(text) => {
              wishes.name = text;
            }}
          />
          <label class="asked">
            Kind
            <select
              value={kind.value}
              onChange={({ currentTarget }) => {
                wishes.kind = currentTarget.value as Target['kind'];
                kind.value = wishes.kind;
              }}
            >
              {Object.entries(kinds).map(([each, { word }]) => (
                <option key={each} value={each}>
                  {word}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
      <Asked
        label={kinds[kind.value].address}
        first={wishes.address}
        onText={(text) => {
          wishes.address = text;
        }}
      />
      {kind.value !== 'ping' && <EventFields wishes={wishes} />}
      <Asked
        label={`About how many messages a minute${isNew ? ' (empty: default of the kind)' : ''}`}
        kind="number"
        first={wishes.minuteMax}
        onText={(text) => {
          wishes.minuteMax = text;
        }}
      />
    </>
  );
}

function EventFields({ wishes }: { readonly wishes: TargetWishes }): JSX.Element {
  const isLong = useSignal(wishes.events.has('long-running'));
  const turn = (event: Event) => {
    if (!wishes.events.delete(event)) wishes.events.add(event);
    isLong.value = wishes.events.has('long-running');
  };
  return (
    <>
      <fieldset class="choices many">
        <legend>Of every job</legend>
        {Object.entries(eventWords).map(([event, word]) => (
          <label key={event} class="check">
            <input
              type="checkbox"
              defaultChecked={wishes.events.has(event as Event)}
              onChange={() => turn(event as Event)}
            />
            {word}
          </label>
        ))}
      </fieldset>
      {isLong.value && (
        <Asked
          label="A run is long after so many minutes"
          kind="number"
          first={wishes.longMinutes}
          onText={(text) => {
            wishes.longMinutes = text;
          }}
        />
      )}
    </>
  );
}
