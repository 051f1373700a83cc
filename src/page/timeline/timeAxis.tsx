import type { JSX } from 'preact';
import { zone } from '../state/choices.ts';
import { formatClock, formatDay, zoneOffsetMs } from '../text/formatTime.ts';
import { areDays, roundTimes, shareOf, type TimeRange } from './timeRange.ts';

interface AxisProps {
  readonly range: TimeRange;
  /** How many times there is room for. */
  readonly most: number;
}

/** Above tracks: round times of the reader's zone. */
export function TimeAxis({ most, range }: AxisProps): JSX.Element {
  const offsetMs = (ms: number) => zoneOffsetMs(zone.value, ms);
  const { stepMs, times } = roundTimes(range, most, offsetMs);
  return (
    <div class="axis" aria-hidden="true">
      {times.map((ms, at) => {
        const clock = formatClock(ms, zone.value);
        const isDay = areDays(stepMs) || clock === '00:00' || at === 0;
        const share = shareOf(range, ms);
        // A mark near the end has no room for its words.
        const hasRoom = (width: number) => share <= 1 - width / most;
        const hasDay = isDay && hasRoom(0.9);
        return (
          <span key={ms} style={{ left: `${share * 100}%` }}>
            {hasDay && <strong>{formatDay(ms, zone.value)}</strong>}{' '}
            {!areDays(stepMs) && hasRoom(hasDay ? 0.9 : 0.6) && clock}
          </span>
        );
      })}
    </div>
  );
}
