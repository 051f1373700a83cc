import type { JSX } from 'preact';
import type { Answer } from '../../api/callApi.ts';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Time, Until } from '../../parts/timeText.tsx';
import { triggerWords } from '../../runs/runWords.ts';
import { zone } from '../../state/choices.ts';
import { changeQuery, linkTo } from '../../state/place.ts';
import { formatCount } from '../../text/formatNumber.ts';
import { formatClock, formatFullTime } from '../../text/formatTime.ts';
import { showLine } from '../../text/showControls.ts';

type Upcoming = Answer<'GET /upcoming'>;
type Launch = Upcoming['items'][number];

interface TableProps {
  readonly upcoming: Upcoming;
  /** Over days: each has a head of its own, else each hour. */
  readonly isByDay: boolean;
  /** Each tick by itself: none stands for those that follow. */
  readonly isEach: boolean;
}

/** What is due, in order of time, below the hours or the days. */
export function UpcomingTable({ isByDay, isEach, upcoming }: TableProps): JSX.Element {
  const isAnyPinned = upcoming.items.some(({ node }) => node !== null);
  const parts = new Map<string, Launch[]>();
  for (const launch of upcoming.items) {
    const part = partOf(Date.parse(launch.at), isByDay);
    parts.set(part, [...(parts.get(part) ?? []), launch]);
  }
  return (
    <table class="launches">
      <thead>
        <tr>
          <th scope="col">Due</th>
          <th scope="col" class="at">
            At
          </th>
          <th scope="col">Job</th>
          <th scope="col" class="by">
            Started by
          </th>
          {isAnyPinned && (
            <th scope="col" class="node">
              Node
            </th>
          )}
          {!isEach && <th scope="col">Then</th>}
        </tr>
      </thead>
      {[...parts].map(([part, launches]) => (
        <tbody key={part}>
          <tr class="part-of-time">
            <th scope="rowgroup" colSpan={4 + (isAnyPinned ? 1 : 0) + (isEach ? 0 : 1)}>
              {part}
            </th>
          </tr>
          {launches.map((launch) => (
            <LaunchRow
              key={`${launch.at} ${launch.job} ${launch.node}`}
              {...{ isAnyPinned, isEach, launch }}
            />
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** `Fri, 27 Nov 2026`, `Fri, 27 Nov 2026 14:00`. */
function partOf(ms: number, isByDay: boolean): string {
  const day = formatFullTime(ms, zone.value).slice(0, -9);
  return isByDay ? day : `${day} ${formatClock(ms, zone.value).slice(0, 2)}:00`;
}

interface RowProps {
  readonly launch: Launch;
  /** Some launch has to run on a certain node. */
  readonly isAnyPinned: boolean;
  readonly isEach: boolean;
}

function LaunchRow({ isAnyPinned, isEach, launch }: RowProps): JSX.Element {
  const { at, group, job, node, state, trigger } = launch;
  return (
    <tr class={state === 'observed' || state === 'cannot_run' ? 'starts-nothing' : ''}>
      <td class="nowrap">
        <Until at={at} />
      </td>
      <td class="nowrap number at">
        <Time at={at} />
      </td>
      <td class="wide">
        <span class="job">
          <a href={linkTo(['jobs', job])} data-row>
            {showLine(job)}
          </a>
          {group !== 'default' && (
            <button
              type="button"
              class="chip group"
              title={`Only jobs of the group ${showLine(group)}`}
              onClick={() => changeQuery({ group: [group] })}
            >
              {showLine(group)}
            </button>
          )}
          {state !== 'idle' && <StatusBadge status={state} />}
        </span>
      </td>
      <td class="nowrap quiet by">{triggerWords[trigger]}</td>
      {isAnyPinned && <td class="nowrap quiet node">{node === null ? 'any' : showLine(node)}</td>}
      {!isEach && (
        <td class="nowrap quiet number">
          <More launch={launch} />
        </td>
      )}
    </tr>
  );
}

/** Those that follow it in the same time. */
function More({ launch: { lastAt, more } }: { readonly launch: Launch }): JSX.Element | null {
  if (more === 0) return null;
  return (
    <>
      {formatCount(more)} more{' '}
      {lastAt !== null && (
        <span class="last">
          {more === 1 ? 'at' : 'until'} <Time at={lastAt} />
        </span>
      )}
    </>
  );
}
