import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { apiUrl } from '../../live/liveFeed.ts';
import { Choice } from '../../parts/choice.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { place } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';
import { ActorTable, SlotActorTable, SlotTable } from './actorTable.tsx';
import { Chart } from './chart.tsx';
import { drawings, type Live, marksOf } from './marks.ts';

/** The state machines of a node, with their current states highlighted. */
export function MachinesScreen(): JSX.Element {
  const live = useResource<Live>('machines', {
    read: (signal) => callApi('GET /machines/live', { signal }),
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
      </header>
      <Loaded of={live} lines={16}>
        {(loaded) => <Machine key={drawing} drawing={drawing} live={loaded} />}
      </Loaded>
    </div>
  );
}

interface MachineProps {
  readonly drawing: string;
  readonly live: Live;
}

function Machine({ drawing, live }: MachineProps): JSX.Element {
  const marks = useMemo(() => marksOf(drawing, live), [drawing, live]);
  const node = showLine(live.node);
  return (
    <>
      <p class="quiet">
        {drawing === 'lifecycle'
          ? 'Slots of all nodes, from the database. A slot that no node holds is idle.'
          : `States on the node ${node}, which serves this page; refreshed every 2 s.`}
      </p>
      <Chart name={drawing} marks={marks} />
      <p class="quiet">
        <a href={`${apiUrl}machines/${drawing}/drawing?format=mermaid`}>Mermaid source</a>, with the
        actions of each transition and those on entry and exit of each state.
      </p>
      {drawing === 'lifecycle' && <SlotTable live={live} />}
      {drawing === 'slot' && <SlotActorTable live={live} />}
      {drawing !== 'lifecycle' && drawing !== 'slot' && (
        <ActorTable actors={live.actors.filter(isOf(drawing))} />
      )}
    </>
  );
}

const isOf = (drawing: string) => (actor: Live['actors'][number]) =>
  drawing === 'actors' || actor.machine === drawing;
