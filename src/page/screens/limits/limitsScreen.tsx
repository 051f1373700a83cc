import type { JSX } from 'preact';
import { addLimit, changeLimit, removeLimit } from '../../acts/limitActs.tsx';
import { type Answer, callApi } from '../../api/callApi.ts';
import { whyNotAllGroups } from '../../api/session.ts';
import { useResource } from '../../api/useResource.ts';
import { Action } from '../../parts/action.tsx';
import { Cards, Load } from '../../parts/cards.tsx';
import { SearchField } from '../../parts/choice.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { linkTo, place } from '../../state/place.ts';
import { countOf, formatCount } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';

type Limit = Answer<'GET /limits'>['items'][number];

/** How many launches groups of jobs may have at once, and how many they have. */
export function LimitsScreen(): JSX.Element {
  const limits = useResource('limits', {
    read: (signal) => callApi('GET /limits', { signal }),
    everyMs: 5_000,
  });
  const text = (place.value.query.get('text') ?? '').toLowerCase();
  const shown = (items: readonly Limit[]) =>
    items.filter(({ group }) => group.toLowerCase().includes(text));
  const items = limits.data.value?.items;
  const add = async () => {
    await addLimit();
    limits.reload();
  };
  return (
    <div class="screen">
      <header class="bar">
        <h1>Limits</h1>
        <SearchField name="text" label="Search by group" />
        <p class="count quiet" role="status">
          {items && countOf(shown(items).length, 'limit')}
        </p>
        <Action icon="add" needs="admin" whyNot={whyNotAllGroups()} onAct={add}>
          Set a limit
        </Action>
      </header>
      <Loaded of={limits} lines={8}>
        {(loaded) =>
          loaded.items.length === 0 ? (
            <NoLimits />
          ) : (
            <LimitTable limits={shown(loaded.items)} onChange={() => limits.reload()} />
          )
        }
      </Loaded>
    </div>
  );
}

function NoLimits(): JSX.Element {
  return (
    <Empty title="No group of jobs has a limit">
      <p>Set one here or on the command line, so that its jobs run 4 at a time at most:</p>
      <pre>statecron limit set reports 4</pre>
    </Empty>
  );
}

interface TableProps {
  readonly limits: readonly Limit[];
  onChange(): void;
}

const heads = ['Group', 'State', 'Taken', 'Running', 'Prepared', 'Waiting', 'Jobs', 'Actions'];

function LimitTable({ limits, onChange }: TableProps): JSX.Element {
  if (limits.length === 0) return <p class="quiet">No limit matches.</p>;
  return (
    <Cards class="limits" label="Limits" heads={heads}>
      {limits.map((limit) => (
        <LimitRow key={limit.group} limit={limit} onChange={onChange} />
      ))}
    </Cards>
  );
}

function LimitRow({ limit, onChange }: { limit: Limit; onChange(): void }): JSX.Element {
  const { group, held, jobs, max, running, waiting } = limit;
  const name = showLine(group);
  const then = (act: (limit: Limit) => Promise<void>) => async () => {
    await act(limit);
    onChange();
  };
  return (
    <div role="row" class="row">
      <div role="cell" class="stack name">
        <a href={linkTo(['jobs'], { group: [group] })} title="Its jobs" data-row>
          {name}
        </a>
      </div>
      <div role="cell" class="stack">
        <LimitState limit={limit} />
      </div>
      <div role="cell" class="number" data-label="taken">
        <Load taken={held} most={max} />
      </div>
      <div role="cell" class="number" data-label="running">
        <Leads to={linkTo(['jobs'], { group: [group], state: 'running' })} count={running} />
      </div>
      <div role="cell" class="number" data-label="prepared">
        <Leads count={held - running} />
      </div>
      <div role="cell" class="number" data-label="waiting">
        <Leads to={linkTo(['jobs'], { group: [group], state: 'waiting' })} count={waiting} />
      </div>
      <div role="cell" class="number" data-label="jobs">
        {formatCount(jobs)}
      </div>
      <div role="cell" class="actions">
        <Action
          needs="admin"
          label={`Change the limit of ${name}`}
          whyNot={whyNotAllGroups()}
          onAct={then(changeLimit)}
        >
          Change
        </Action>
        <Action
          needs="admin"
          kind="danger"
          label={`Remove the limit of ${name}`}
          whyNot={whyNotAllGroups()}
          onAct={then(removeLimit)}
        >
          Remove
        </Action>
      </div>
    </div>
  );
}

/** Whether it holds anything back. */
function LimitState({ limit: { held, max, waiting } }: { readonly limit: Limit }): JSX.Element {
  if (held < max) return <StatusBadge status="idle" word="has room" />;
  if (waiting === 0) return <StatusBadge status="prepared" word="full" />;
  return <StatusBadge status="missed" word="full, jobs wait" />;
}

/** A number that leads to what it counts, where there is any. */
function Leads({ count, to }: { readonly count: number; readonly to?: string }): JSX.Element {
  const isLink = count > 0 && to !== undefined;
  if (isLink) return <a href={to}>{formatCount(count)}</a>;
  return <span class={count === 0 ? 'none' : ''}>{count === 0 ? '–' : formatCount(count)}</span>;
}
