import type { JSX } from 'preact';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { Choice } from '../../parts/choice.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { place } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';
import { Machine } from './machine.tsx';
import { drawings, type Live } from './marks.ts';
import { Source } from './source.tsx';
import { Versions } from './versions.tsx';

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
        {(loaded) => <Shown key={`${drawing} ${of}`} drawing={drawing} live={loaded} />}
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

interface ShownProps {
  readonly drawing: string;
  readonly live: Live;
}

/** A drawing with its tables, divided by version where nodes run several. */
function Shown({ drawing, live }: ShownProps): JSX.Element {
  const isDivided = drawing !== 'lifecycle' && live.versions.length > 0;
  return (
    <>
      {!isDivided && (
        <p class="quiet">{drawing === 'lifecycle' ? ofDatabase : <Source live={live} />}</p>
      )}
      {isDivided ? (
        <Versions drawing={drawing} live={live} />
      ) : (
        <Machine drawing={drawing} live={live} />
      )}
    </>
  );
}

const ofDatabase = 'Slots of all nodes, from the database. A slot that no node holds is idle.';
