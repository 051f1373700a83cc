import { computed } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { zone } from '../state/choices.ts';
import { nowMs, quarter } from '../state/clock.ts';
import { formatAge, formatCountdown, formatDuration, formatUntil } from '../text/formatDuration.ts';
import { formatFullTime, formatTime, localZone, zoneName } from '../text/formatTime.ts';
import { showLine } from '../text/showControls.ts';

interface TimeProps {
  /** ISO instant; null: there is none. */
  readonly at: string | null;
  /** Shown instead of nothing. */
  readonly none?: string;
}

/** A time in the reader's zone, whose name stands at the head of its column or of the page. */
export function Time({ at, none = '–' }: TimeProps): JSX.Element {
  if (at === null) return <span class="none">{none}</span>;
  const ms = Date.parse(at);
  return (
    <time dateTime={at} {...titled}>
      {formatTime(ms, zone.value, quarter.value)}
    </time>
  );
}

/** The same with all that there is to it: date, time and zone. */
export function FullTime({ at, none = '–' }: TimeProps): JSX.Element {
  if (at === null) return <span class="none">{none}</span>;
  const ms = Date.parse(at);
  return (
    <time dateTime={at} {...titled}>
      {formatFullTime(ms, zone.value)} {zoneName(zone.value, ms)}
    </time>
  );
}

const instants = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A sentence of the node's, whose instants are in the reader's zone; several with their days. */
export function TextWithTimes({ text }: { readonly text: string }): JSX.Element {
  const pieces = showLine(text).split(instants);
  return (
    <>
      {pieces.map((piece, at) => {
        if (at % 2 === 0) return piece;
        return (
          <span key={at} class="nowrap">
            {pieces.length > 3 ? (
              <FullTime at={piece} />
            ) : (
              <>
                <Time at={piece} /> <ZoneName />
              </>
            )}
          </span>
        );
      })}
    </>
  );
}

interface UntilProps extends TimeProps {
  /** In the largest unit alone. */
  readonly isShort?: boolean;
}

/** How long until then, counting: `in 12 s`; when it is over `due`, and later `overdue 3 min`. */
export function Until({ at, isShort = false, none = '–' }: UntilProps): JSX.Element {
  if (at === null) return <span class="none">{none}</span>;
  return (
    <time class="number" dateTime={at} {...titled}>
      <Counted ms={Date.parse(at)} textOf={isShort ? untilShortText : untilText} />
    </time>
  );
}

const untilText = (leftMs: number): string =>
  leftMs > 0 ? `in ${formatUntil(leftMs)}` : dueText(-leftMs);

const untilShortText = (leftMs: number): string =>
  leftMs > 0 ? `in ${formatAge(leftMs)}` : dueText(-leftMs);

const dueText = (overMs: number): string =>
  overMs < 60_000 ? 'due' : `overdue ${formatAge(overMs)}`;

/** How long ago that was: `12 s ago`. */
export function Ago({ at, none = '–' }: TimeProps): JSX.Element {
  if (at === null) return <span class="none">{none}</span>;
  return (
    <time class="number" dateTime={at} {...titled}>
      <Counted ms={Date.parse(at)} textOf={agoText} />
    </time>
  );
}

const agoText = (leftMs: number): string =>
  leftMs > -1_000 ? 'just now' : `${formatAge(-leftMs)} ago`;

interface CountedProps {
  readonly ms: number;
  /** @param leftMs until then; negative: since then */
  textOf(leftMs: number): string;
}

/** The part that counts: nothing is drawn in the seconds that do not change its text. */
function Counted({ ms, textOf }: CountedProps): JSX.Element {
  const text = useMemo(() => computed(() => textOf(ms - nowMs.value)), [ms, textOf]);
  return <>{text}</>;
}

/** How long something took, or takes since it began. */
export function Took({ from, to }: { from: string | null; to: string | null }): JSX.Element {
  if (from === null) return <span class="none">–</span>;
  const isOver = to !== null;
  const ms = (isOver ? Date.parse(to) : nowMs.value) - Date.parse(from);
  return (
    <span class="number">{isOver ? formatDuration(ms) : formatCountdown(Math.max(0, ms))}</span>
  );
}

/** The name of the reader's zone at present: for heads of columns. */
export function ZoneName(): JSX.Element {
  return <>{zoneName(zone.value, quarter.value)}</>;
}

/** A heading with the zone of the times under it. */
export function Zoned({ title }: { readonly title: string }): JSX.Element {
  return (
    <>
      {title}{' '}
      <span class="quiet">
        (<ZoneName />)
      </span>
    </>
  );
}

/** A title is made when somebody points at the time: a list has hundreds that nobody reads. */
const titled = {
  onPointerEnter: ({ currentTarget }: { readonly currentTarget: HTMLTimeElement }) => {
    currentTarget.title = fullTitle(Date.parse(currentTarget.dateTime));
  },
};

function fullTitle(ms: number): string {
  const zones = [...new Set([localZone, zone.value, 'UTC'])];
  return zones.map((each) => `${formatFullTime(ms, each)} ${zoneName(each, ms)}`).join('\n');
}
