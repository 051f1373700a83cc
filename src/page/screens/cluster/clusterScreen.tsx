import type { JSX } from 'preact';
import { type Answer, callApi } from '../../api/callApi.ts';
import { seesAllGroups } from '../../api/session.ts';
import { useResource } from '../../api/useResource.ts';
import { Warnings } from '../../jobs/clusterWarnings.tsx';
import { PauseLines } from '../../jobs/pauseLines.tsx';
import { newestSessions, type Session } from '../../nodes/session.tsx';
import { Choice, Condition, SearchField } from '../../parts/choice.tsx';
import { Count } from '../../parts/count.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { linkTo, place } from '../../state/place.ts';
import { countOf, formatCount } from '../../text/formatNumber.ts';
import { EndedSessions } from './endedSessions.tsx';
import { NodeTable } from './nodeTable.tsx';

type Cluster = Answer<'GET /cluster'>;

const hourMs = 3_600_000;

/** Nodes and sessions that ended, by what the URL says. */
const windows = {
  '': 'with what ended in the last hour',
  '1d': 'with what ended in the last day',
  '7d': 'with what ended in 7 days',
};
const windowMs: Readonly<Record<string, number>> = { '1d': 24 * hourMs, '7d': 7 * 24 * hourMs };

/** The nodes, what each holds, and who takes work. */
export function ClusterScreen(): JSX.Element {
  const ended = place.value.query.get('ended') ?? '';
  const cluster = useResource<Cluster>(ended, {
    read: (signal) => {
      const query = { endedWithinMs: `${windowMs[ended] ?? hourMs}`, limit: '1000' };
      return callApi('GET /cluster', { query, signal });
    },
    isAbout: ({ type }) => type.startsWith('session.') || type.startsWith('run.'),
    everyMs: 5_000,
  });
  const data = cluster.data.value;
  const nodes = data === null ? [] : newestSessions(data.sessions);
  const shown = nodes.filter(matcher(place.value.query));
  return (
    <div class="screen cluster">
      <header class="bar">
        <h1>Cluster</h1>
        <SearchField name="text" label="Search by name or host" />
        <Condition name="label" label="label" />
        <Choice name="ended" label="What ended" choices={windows} />
        <p class="count quiet" role="status">
          {data && countOf(shown.length, 'node')}
        </p>
      </header>
      <Loaded of={cluster} lines={8}>
        {(loaded) => (
          <>
            <ClusterCounts cluster={loaded} />
            <PauseLines pauses={loaded.pauses} onChange={() => cluster.reload()} />
            <Warnings cluster={loaded} />
            {nodes.length === 0 ? (
              <NoNodes />
            ) : (
              <NodeTable sessions={shown} onChange={cluster.reload.bind(cluster)} />
            )}
            <EndedSessions sessions={loaded.sessions} title={endedTitle(ended)} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** It says the time, too: the choice of it stands above the nodes, which it rules as well. */
function endedTitle(ended: string): string {
  const words = windows[ended in windows ? (ended as keyof typeof windows) : ''];
  return words.replace('with what', 'Sessions that');
}

function matcher(query: URLSearchParams): (session: Session) => boolean {
  const text = (query.get('text') ?? '').toLowerCase();
  const labels = query.getAll('label');
  return ({ host, labels: has, node }) =>
    `${node}\n${host}`.toLowerCase().includes(text) && labels.every((label) => has.includes(label));
}

function ClusterCounts({ cluster }: { readonly cluster: Cluster }): JSX.Element {
  const live = cluster.sessions.filter(({ state }) => state === 'live');
  const sum = (name: 'concurrency' | 'executing' | 'prepared') =>
    live.reduce((total, session) => total + session[name], 0);
  const held = live.filter(({ cordon, isDraining }) => cordon !== null || isDraining);
  const { overdue, unrunnable } = cluster;
  const isAll = seesAllGroups();
  return (
    <ul class="counts">
      <Count word="live nodes" count={formatCount(live.length)} tone="good" />
      <Count word="take no work" count={formatCount(held.length)} tone="doubt" />
      <Count
        word={`of ${formatCount(sum('concurrency'))} running`}
        count={formatCount(sum('executing'))}
        tone="good"
        {...(isAll && { to: linkTo(['jobs'], { state: 'running' }) })}
      />
      <Count word="prepared" count={formatCount(sum('prepared'))} tone="prepare" />
      {isAll && (
        <>
          <Count
            word="late"
            count={formatCount(overdue)}
            tone="doubt"
            to={linkTo(['jobs'], { state: 'waiting' })}
          />
          <Count
            word="cannot run"
            count={formatCount(unrunnable.jobs)}
            tone="bad"
            to={linkTo(['jobs'], { state: 'cannot_run' })}
          />
        </>
      )}
    </ul>
  );
}

function NoNodes(): JSX.Element {
  return (
    <Empty title="No node is live">
      <p>Start one, on any machine that reaches the database:</p>
      <pre>statecron node</pre>
    </Empty>
  );
}
