import type { JSX } from 'preact';
import { type Answer, callApi } from '../../api/callApi.ts';
import { readPages } from '../../api/readPages.ts';
import { useGrowing } from '../../api/useGrowing.ts';
import { readConditions, resultChoices, stateChoices } from '../../jobs/jobConditions.ts';
import { NoJobs } from '../../jobs/noJobs.tsx';
import { Choice, Condition, SearchField } from '../../parts/choice.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ZoneName } from '../../parts/timeText.tsx';
import { zone } from '../../state/choices.ts';
import { nowMs } from '../../state/clock.ts';
import { isNarrow } from '../../state/isNarrow.ts';
import { place } from '../../state/place.ts';
import { formatDuration } from '../../text/formatDuration.ts';
import { formatFullTime } from '../../text/formatTime.ts';
import { Legend } from '../../timeline/legend.tsx';
import { TimeAxis } from '../../timeline/timeAxis.tsx';
import { TimelineRow } from './timelineRow.tsx';
import {
  endAround,
  endOf,
  moveWindow,
  readWindow,
  type ShownWindow,
  showPresent,
  windowChoices,
  zoomTo,
} from './timelineWindow.ts';

type Timeline = Answer<'GET /timeline'>;

const pageJobs = 40;
const pagesMax = 5;

/** Many jobs by time: what ran, what did not, and what comes. */
export function TimelineScreen(): JSX.Element {
  const { query } = place.value;
  const shown = readWindow(query);
  const conditions = readConditions(query);
  const bins = isNarrow.value ? 60 : 144;
  const key = JSON.stringify([shown, conditions, bins]);
  const timeline = useGrowing<Timeline>(key, {
    read: (signal, pages) => {
      const untilMs = endOf(shown, nowMs.peek());
      const range = { from: iso(untilMs - shown.lengthMs), until: iso(untilMs), bins: `${bins}` };
      const wanted = { ...conditions, ...range, limit: `${pageJobs}` };
      return readPages<Timeline>(pages, (after) =>
        callApi('GET /timeline', { query: { ...wanted, after }, signal }),
      );
    },
    everyMs: shown.untilMs === null ? 10_000 : 60_000,
  });
  return (
    <div class="screen timeline">
      <TimelineBar shown={shown} />
      <Loaded of={timeline} lines={20}>
        {(loaded) =>
          loaded.items.length === 0 ? (
            <NoJobs isFiltered={Object.keys(conditions).length > 0} />
          ) : (
            <Rows
              timeline={loaded}
              onMore={timeline.parts < pagesMax ? timeline.more : null}
              onZoom={(ms) => zoomTo(shown, ms)}
            />
          )
        }
      </Loaded>
    </div>
  );
}

function TimelineBar({ shown }: { readonly shown: ShownWindow }): JSX.Element {
  return (
    <header class="bar">
      <h1>Timeline</h1>
      <SearchField name="text" label="Search by name" hasWords />
      <Choice
        name="window"
        label="How long"
        choices={windowChoices}
        changesWith={(name) => endAround(shown, name)}
      />
      <div class="pager">
        <button
          type="button"
          class="button plain"
          onClick={() => moveWindow(shown, -1, nowMs.value)}
        >
          Earlier
        </button>
        <button
          type="button"
          class="button plain"
          onClick={() => moveWindow(shown, 1, nowMs.value)}
        >
          Later
        </button>
        <button
          type="button"
          class="button plain"
          aria-pressed={shown.untilMs === null}
          onClick={showPresent}
        >
          Present
        </button>
      </div>
      <Choice name="state" label="State" choices={stateChoices} />
      <Choice name="lastResult" label="Last result" choices={resultChoices} />
      <Condition name="group" label="group" />
      <Condition name="tag" label="tag" />
      <Condition name="node" label="node" />
    </header>
  );
}

function iso(ms: number): string {
  return new Date(Math.round(ms)).toISOString();
}

interface RowsProps {
  readonly timeline: Timeline;
  /** Null: there may not be more. */
  readonly onMore: (() => void) | null;
  onZoom(ms: number): void;
}

function Rows({ onMore, onZoom, timeline }: RowsProps): JSX.Element {
  const { binMs, from, items, next, now, until } = timeline;
  const [fromMs, untilMs] = [Date.parse(from), Date.parse(until)];
  const range = { fromMs, untilMs };
  const bins = Math.round((untilMs - fromMs) / binMs);
  const bar = items.some(({ binned }) => binned) ? formatDuration(binMs) : null;
  return (
    <>
      {!isNarrow.value && <Legend bar={bar} />}
      <div class="axis-row">
        <p class="quiet">
          {[fromMs, untilMs].map(minuteText).join(' to ')} <ZoneName />
        </p>
        <TimeAxis range={range} most={isNarrow.value ? 4 : 9} />
      </div>
      <ul class="tracks">
        {items.map((job) => (
          <TimelineRow key={job.job} {...{ job, range, bins, onZoom }} nowMs={Date.parse(now)} />
        ))}
      </ul>
      {isNarrow.value && <Legend bar={bar} />}
      {next !== null && onMore !== null && (
        <button type="button" class="button plain" onClick={onMore}>
          Show more jobs
        </button>
      )}
      {next !== null && onMore === null && (
        <p class="quiet">There are more jobs: search by name, or choose a group.</p>
      )}
    </>
  );
}

/** `27 Nov 14:00`, of another year with it. */
function minuteText(ms: number): string {
  const year = formatFullTime(nowMs.value, zone.value).slice(11, 16);
  return formatFullTime(ms, zone.value).slice(5, -3).replace(year, '');
}
