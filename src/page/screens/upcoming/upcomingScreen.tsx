import type { JSX } from 'preact';
import { type Answer, callApi } from '../../api/callApi.ts';
import { readPages } from '../../api/readPages.ts';
import { useGrowing } from '../../api/useGrowing.ts';
import { Choice, Condition } from '../../parts/choice.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { FullTime, Zoned } from '../../parts/timeText.tsx';
import { changeQuery, linkTo, place } from '../../state/place.ts';
import { countOf, formatCount } from '../../text/formatNumber.ts';
import { UpcomingTable } from './upcomingTable.tsx';

type Upcoming = Answer<'GET /upcoming'>;

const pageLaunches = 200;
/** Ticks one by one come in one page. */
const ticksMax = 500;

const windows = {
  ...{ '10m': 'in 10 minutes', '': 'in an hour', '6h': 'in 6 hours' },
  ...{ '1d': 'in a day', '7d': 'in 7 days', '30d': 'in 30 days' },
};
const ways = { '': 'the next of each job', each: 'each tick' };

/** What runs next, over all jobs. */
export function UpcomingScreen(): JSX.Element {
  const { query } = place.value;
  const [within, group] = [query.get('within') ?? '', query.getAll('group')];
  const isEach = query.get('ticks') === 'each';
  const upcoming = useGrowing<Upcoming>(JSON.stringify([within, group, isEach]), {
    read: (signal, pages) => {
      const wanted = { within: within || '1h', group };
      if (isEach) {
        const each = { ...wanted, allTicks: 'true', limit: `${ticksMax}` } as const;
        return callApi('GET /upcoming', { query: each, signal });
      }
      return readPages<Upcoming>(pages, (after) =>
        callApi('GET /upcoming', {
          ...{ query: { ...wanted, after, limit: `${pageLaunches}` }, signal },
        }),
      );
    },
    isAbout: ({ type }) => type.startsWith('run.') || type === 'slot.changed',
    everyMs: 10_000,
  });
  return (
    <div class="screen upcoming">
      <header class="bar">
        <h1>
          <Zoned title="Upcoming" />
        </h1>
        <Choice name="within" label="How far ahead" choices={windows} />
        <Choice name="ticks" label="Which ticks" choices={ways} />
        <Condition name="group" label="group" />
        <p class="count quiet" role="status">
          {upcoming.data.value && countText(upcoming.data.value, isEach)}
        </p>
      </header>
      <Loaded of={upcoming} lines={20}>
        {(loaded) => (
          <>
            <Overdue slots={loaded.overdue} />
            {loaded.items.length === 0 ? (
              <NothingDue within={within} isFiltered={group.length > 0} />
            ) : (
              <UpcomingTable upcoming={loaded} isByDay={within.endsWith('d')} isEach={isEach} />
            )}
            <Rest upcoming={loaded} isEach={isEach} onMore={upcoming.more} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function countText({ items, next }: Upcoming, isEach: boolean): string {
  const count = isEach
    ? countOf(items.length, 'tick')
    : countOf(new Set(items.map(({ job }) => job)).size, 'job');
  return `${count}${isCut({ items, next }, isEach) ? ' and more' : ''}`;
}

function isCut({ items, next }: Pick<Upcoming, 'items' | 'next'>, isEach: boolean): boolean {
  return next !== null || (isEach && items.length === ticksMax);
}

/** What is due is no news; what stays due is. */
function Overdue({ slots }: { readonly slots: number }): JSX.Element | null {
  if (slots === 0) return null;
  return (
    <p class="box doubt">
      {slots >= 100 && 'At least '}
      {countOf(slots, 'launch has', 'launches have')} been due for over a minute, and{' '}
      {slots === 1 ? 'is' : 'are'} not in this list.{' '}
      <a href={linkTo(['jobs'], { state: 'waiting' })}>Show the jobs that wait</a>
    </p>
  );
}

interface RestProps {
  readonly upcoming: Upcoming;
  readonly isEach: boolean;
  onMore(): void;
}

/** What is not shown, and how to see it. */
function Rest({ isEach, onMore, upcoming }: RestProps): JSX.Element | null {
  const { items, until } = upcoming;
  if (!isCut(upcoming, isEach)) return null;
  if (!isEach) {
    return (
      <button type="button" class="button plain after" onClick={onMore}>
        Show later launches
      </button>
    );
  }
  return (
    <p class="quiet after">
      These are the first {formatCount(items.length)} ticks: all until <FullTime at={until} />.
      Choose a shorter time, or a group.
    </p>
  );
}

function NothingDue({ isFiltered, within }: { within: string; isFiltered: boolean }): JSX.Element {
  const time = within in windows ? windows[within as keyof typeof windows] : windows[''];
  return (
    <Empty title={`Nothing is due ${time.replace(/^in (an? )?/, 'in the next ')}`}>
      <p>
        {isFiltered && 'Only jobs of one group are looked at. '}
        Paused jobs have no ticks, and jobs without a schedule run on request.
      </p>
      <button
        type="button"
        class="button main"
        onClick={() => changeQuery({ within: '30d', group: undefined })}
      >
        Look 30 days ahead{isFiltered && ', at all groups'}
      </button>
    </Empty>
  );
}
