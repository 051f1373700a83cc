import type { ComponentChildren, JSX } from 'preact';
import { stateOfNode } from '../../nodes/session.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { linkTo } from '../../state/place.ts';
import { formatCount } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';
import { type Live, slotsIn } from './marks.ts';

interface StateTableProps {
  readonly title: string;
  readonly heads: readonly string[];
  readonly children: ComponentChildren;
}

/** What a drawing shows, as a table. */
export function StateTable({ children, heads, title }: StateTableProps): JSX.Element {
  return (
    <Section title={title}>
      <Scrolls label={title}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </Scrolls>
    </Section>
  );
}

/** Actors and the state that each is in. */
export function ActorTable({ actors }: { readonly actors: Live['actors'] }): JSX.Element {
  return (
    <StateTable title="Actor states" heads={['Actor', 'Machine', 'State']}>
      {actors.map(({ actor, machine, state }) => (
        <tr key={actor}>
          <td>{actor}</td>
          <td>
            <a href={linkTo(['machines'], { machine })}>{machine}</a>
          </td>
          <td>{state}</td>
        </tr>
      ))}
    </StateTable>
  );
}

/** How many slots that the shown nodes hold are in each state. */
export function SlotActorTable({
  live,
  ofWhat,
}: {
  readonly live: Live;
  readonly ofWhat: string;
}): JSX.Element {
  const states = Object.entries(live.slotActors);
  if (states.length === 0) return <p class="quiet">No slot is held at present.</p>;
  return (
    <StateTable title={`Slots held${ofWhat}`} heads={['State', 'Slots']}>
      {states.map(([state, count]) => (
        <tr key={state}>
          <td>{state}</td>
          <td class="number">{formatCount(count)}</td>
        </tr>
      ))}
    </StateTable>
  );
}

/** How many slots each node holds. */
export function SlotTable({ live }: { readonly live: Live }): JSX.Element {
  return (
    <StateTable title="Slots of each node" heads={['Node', 'Session', 'prepare', 'executing']}>
      {live.nodes.map((node) => (
        <tr key={node.sessionId}>
          <td>{showLine(node.node)}</td>
          <td>
            <StatusBadge status={stateOfNode(node)} />
          </td>
          <td class="number">{formatCount(node.slots.prepare)}</td>
          <td class="number">{formatCount(node.slots.executing)}</td>
        </tr>
      ))}
      <tr>
        <th scope="row">All</th>
        <td />
        <td class="number">{formatCount(slotsIn(live, 'prepare'))}</td>
        <td class="number">
          <a href={linkTo(['jobs'], { state: 'running' })}>
            {formatCount(slotsIn(live, 'executing'))}
          </a>
        </td>
      </tr>
    </StateTable>
  );
}
