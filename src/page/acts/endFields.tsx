import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { ApiProblem } from '../api/apiProblem.ts';
import { Asked } from '../parts/confirm.tsx';
import { zone } from '../state/choices.ts';
import { formatFullTime, zoneName, zoneOffsetMs } from '../text/formatTime.ts';
import { showLine } from '../text/showControls.ts';

/** When something ends and why it is done, as it is filled in while the question is open. */
export interface End {
  /** As the API takes it; `''`: it does not end by itself. */
  until: string;
  note: string;
}

const lengths = { '1h': '1 hour', '8h': '8 hours' } as const;

interface FieldsProps {
  /** Its `until` is what is chosen at first. */
  readonly end: End;
  readonly says: string;
  /** The words for no end; absent: there has to be one. */
  readonly forGood?: string;
  readonly noteCharactersMax?: number;
}

/** What is said of it, for how long it is, and why. */
export function EndFields({ end, forGood, noteCharactersMax, says }: FieldsProps): JSX.Element {
  const chosen = useSignal(end.until);
  const at = useSignal(tomorrow());
  useSignalEffect(() => {
    // An end that is not whole is refused by `untilOf`, with how to write it.
    end.until = chosen.value === 'at' ? (instantOf(at.value) ?? at.value) : chosen.value;
  });
  const choice = (value: string, text: string) => (
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
        {forGood !== undefined && choice('', forGood)}
        {Object.entries(lengths).map(([value, text]) => choice(value, text))}
        <span class="check">
          {choice('at', 'until')}
          <input
            type="text"
            class="when"
            placeholder="[YYYY-MM-DD] HH:MM"
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
        {...(noteCharactersMax && { charactersMax: noteCharactersMax })}
        onText={(text) => {
          end.note = text;
        }}
      />
    </>
  );
}

/** What the node is sent. Throws ApiProblem, as the node would, in the reader's words and zone. */
export function untilOf({ until }: End): string {
  if (until === '' || until in lengths) return until;
  const ms = instant.test(until) ? Date.parse(until) : Number.NaN;
  if (ms > Date.now()) return until;
  const detail = Number.isNaN(ms)
    ? `“${showLine(until)}” is no time: write the end as YYYY-MM-DD HH:MM.`
    : `${formatFullTime(ms, zone.value)} ${zoneName(zone.value, ms)} is over already.`;
  throw new ApiProblem(400, { detail, hint: 'Choose an end that is still to come.' });
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** At nine in the morning by the reader's clock, as the field has it. */
function tomorrow(): string {
  return `${dayAt(Date.now() + dayMs)} 09:00`;
}

/** The day that the reader's clock shows at an instant. */
function dayAt(ms: number): string {
  return new Date(ms + zoneOffsetMs(zone.value, ms)).toISOString().slice(0, 10);
}

const dayMs = 86_400_000;

/** Of `2026-11-27 09:00`, or `20:00`, the next, by the reader's clock; null: it is neither. */
function instantOf(text: string): string | null {
  const [, given, time] = /^(?:(\d{4}-\d\d-\d\d)[ T])?(\d\d:\d\d)$/.exec(text.trim()) ?? [];
  const nowMs = Date.now();
  const today = given ?? dayAt(nowMs);
  const instant = instantAt(today, time);
  const isOver = given === undefined && instant !== null && Date.parse(instant) <= nowMs;
  return isOver ? instantAt(dayAt(nowMs + dayMs), time) : instant;
}

function instantAt(day: string, time: string | undefined): string | null {
  const local = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(local)) return null;
  const nearMs = local - zoneOffsetMs(zone.value, local);
  return new Date(local - zoneOffsetMs(zone.value, nearMs)).toISOString();
}
