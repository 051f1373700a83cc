import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { apiUrl } from '../../live/liveFeed.ts';
import { Choice } from '../../parts/choice.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Ago } from '../../parts/timeText.tsx';
import { place } from '../../state/place.ts';
import { countOf, formatCount } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';
import { ActorTable, SlotActorTable, SlotTable } from './actorTable.tsx';
import { Chart } from './chart.tsx';
import { GuardTable, TransitionTable } from './countTables.tsx';
import { drawings, type Live, marksOf } from './marks.ts';
import { arrowsOf, useRates } from './rates.ts';

/** In the URL: the counts of all nodes. No node has this name. */
const all = '*';

/** The state machines of a node: the current states, and what its actors have done. */
export function MachinesScreen(): JSX.Element {
  const of = place.value.query.get('of') ?? '';
  const live = useResource<Live>(`machines of ${of}`, {
    read: (signal) => {
      const query = of === all ? { cluster: 'true' as const } : of === '' ? {} : { node: of };
      return callApi('GET /machines/live', { signal, query });
    },
    isAbout: ({ type }) => type.startsWith('run.') || type.startsWith('session.'),
    everyMs: 2_000,
  });
  const chosen = place.value.query.get('machine') ?? '';
  const drawing = chosen !== '' && Object.hasOwn(drawings, chosen) ? chosen : 'actors';
  return (
    <div class="screen machines">
      <header class="bar">
        <h1>Machines</h1>
        <Choice name="machine" label="Drawing" choices={drawings} isOne />
        <Choice name="of" label="Node" choices={nodesIn(live.data.value)} isOne />
      </header>
      <Loaded of={live} lines={16}>
        {(loaded) => <Machine key={`${drawing} ${of}`} drawing={drawing} live={loaded} />}
      </Loaded>
    </div>
  );
}

function nodesIn(live: Live | null): Readonly<Record<string, string>> {
  const { node = '', nodes = [] } = live ?? {};
  const others = nodes.filter((each) => each.state === 'live' && each.node !== node);
  const named = others.map((each) => [each.node, showLine(each.node)] as const);
  return { '': `${showLine(node)} (this node)`, [all]: 'all nodes', ...Object.fromEntries(named) };
}

interface MachineProps {
  readonly drawing: string;
  readonly live: Live;
}

function Machine({ drawing, live }: MachineProps): JSX.Element {
  const rates = useRates(live);
  const marks = useMemo(() => marksOf(drawing, live), [drawing, live]);
  const arrows = useMemo(() => arrowsOf(drawing, live, rates), [drawing, live, rates]);
  const isMachine = drawing !== 'lifecycle' && drawing !== 'actors';
  return (
    <>
      <p class="quiet">{drawing === 'lifecycle' ? ofDatabase : <Source live={live} />}</p>
      <Chart name={drawing} marks={marks} arrows={arrows} />
      <p class="quiet">
        <a href={`${apiUrl}machines/${drawing}/drawing?format=mermaid`}>Mermaid source</a>, with the
        actions of each transition and those on entry and exit of each state.
      </p>
      {drawing === 'lifecycle' && <SlotTable live={live} />}
      {drawing === 'slot' && <SlotActorTable live={live} />}
      {drawing !== 'lifecycle' && drawing !== 'slot' && live.actors.length > 0 && (
        <ActorTable actors={live.actors.filter(isOf(drawing))} />
      )}
      {isMachine && <TransitionTable machine={drawing} live={live} rates={rates} />}
      {isMachine && <GuardTable machine={drawing} live={live} />}
    </>
  );
}

const ofDatabase = 'Slots of all nodes, from the database. A slot that no node holds is idle.';

/** Whose states and counts are shown, and how old they are. */
function Source({ live: { node, reports } }: { readonly live: Live }): JSX.Element {
  const [first] = reports;
  if (reports.length !== 1 || first === undefined) return <ClusterSource reports={reports} />;
  const { isLive, node: of, reportedAt, version } = first;
  const name = showLine(of);
  if (of === node)
    return (
      <>
        States of the node {name}, which serves this page, and counts since it started; refreshed
        every 2 s.
      </>
    );
  if (reportedAt === null)
    return (
      <>
        The node {name} is asked to report, which takes up to 6 s. Nodes of earlier versions report
        nothing.
      </>
    );
  const reported = <Ago at={reportedAt} />;
  return isLive ? (
    <>
      States of the node {name} ({version}) and counts since it started, reported {reported}.
    </>
  ) : (
    <>
      The node {name} has ended. It last reported {reported}; what it did after that is not counted.
    </>
  );
}

function ClusterSource({ reports }: Pick<Live, 'reports'>): JSX.Element {
  const missing = reports.filter(({ reportedAt }) => reportedAt === null).length;
  const ended = reports.filter(({ isLive }) => !isLive).length;
  return (
    <>
      Counts of {countOf(reports.length, 'session')}, {formatCount(ended)} of them ended. What a
      node that was killed did after its last report is not counted.
      {missing > 0 && ` Not reported yet: ${countOf(missing, 'session')}.`}
    </>
  );
}

const isOf = (drawing: string) => (actor: Live['actors'][number]) =>
  drawing === 'actors' || actor.machine === drawing;
