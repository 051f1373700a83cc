import type { ComponentChildren, JSX } from 'preact';
import { formatCount } from '../../text/formatNumber.ts';
import { StateTable } from './actorTable.tsx';
import type { Live } from './marks.ts';
import { formatRate, keyOf, type Rates } from './rates.ts';

interface TransitionTableProps {
  readonly machine: string;
  readonly live: Live;
  readonly rates: Rates;
  /** What the title ends in. */
  readonly ofWhat: string;
}

/** Every transition of a machine and how often it was taken, also those that never were. */
export function TransitionTable({
  live,
  machine,
  ofWhat,
  rates,
}: TransitionTableProps): JSX.Element {
  const heads = ['From', 'Event', 'Guard', 'To', 'Count', 'Per second'];
  const within = (state: string) => state.replace(`${machine}.`, '');
  return (
    <StateTable title={`Transitions${ofWhat}`} heads={heads}>
      {live.transitions
        .filter((transition) => transition.machine === machine)
        .map((transition) => {
          const { count, event, from, guard, to } = transition;
          const key = keyOf(transition);
          return (
            <tr key={key} class={count === 0 ? 'quiet' : ''}>
              <td>{byDots(within(from))}</td>
              <td>{byDots(event)}</td>
              <td>{guard}</td>
              <td>{to === null ? 'stays' : byDots(within(to))}</td>
              <td class="number">{formatCount(count)}</td>
              <td class="number">{formatRate(rates.get(key) ?? 0)}</td>
            </tr>
          );
        })}
    </StateTable>
  );
}

/** A path, which is broken after a dot where it has to be. */
const byDots = (path: string): ComponentChildren =>
  path
    .split(/(?<=\.)/)
    .flatMap((name, place) => (place === 0 ? [name] : [<wbr key={name} />, name]));

/** How often the guards of a machine have allowed a transition, and how often not. */
export function GuardTable({
  live,
  machine,
  ofWhat,
}: Omit<TransitionTableProps, 'rates'>): JSX.Element | null {
  const guards = live.guards.filter((each) => each.machine === machine);
  if (guards.length === 0) return null;
  return (
    <StateTable title={`Guards${ofWhat}`} heads={['Guard', 'Allowed', 'Refused']}>
      {guards.map(({ allowed, guard, refused }) => (
        <tr key={guard}>
          <td>{guard}</td>
          <td class="number">{formatCount(allowed)}</td>
          <td class="number">{formatCount(refused)}</td>
        </tr>
      ))}
    </StateTable>
  );
}
