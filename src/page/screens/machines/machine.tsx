import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { apiUrl } from '../../live/liveFeed.ts';
import { ActorTable, SlotActorTable, SlotTable } from './actorTable.tsx';
import { Chart } from './chart.tsx';
import { GuardTable, TransitionTable } from './countTables.tsx';
import { drawings, type Live, marksOf } from './marks.ts';
import { arrowsOf, useRates } from './rates.ts';

interface MachineProps {
  readonly drawing: string;
  readonly live: Live;
  /** What the titles end in where it is one of several: ` of version 1.2.3`. */
  readonly ofWhat?: string;
}

/** A drawing with the current states and the counts, and the tables of it. */
export function Machine({ drawing, live, ofWhat = '' }: MachineProps): JSX.Element {
  const rates = useRates(live);
  const marks = useMemo(() => marksOf(drawing, live), [drawing, live]);
  const arrows = useMemo(() => arrowsOf(drawing, live, rates), [drawing, live, rates]);
  const isMachine = drawing !== 'lifecycle' && drawing !== 'actors';
  const counts = { live, rates, ofWhat };
  return (
    <>
      <Chart name={drawing} marks={marks} arrows={arrows} ofWhat={ofWhat} />
      {ofWhat === '' && <MermaidLink drawing={drawing} />}
      {drawing === 'lifecycle' && <SlotTable live={live} />}
      {drawing === 'slot' && <SlotActorTable live={live} ofWhat={ofWhat} />}
      {drawing !== 'lifecycle' && drawing !== 'slot' && live.actors.length > 0 && (
        <ActorTable actors={live.actors.filter(isOf(drawing))} />
      )}
      {isMachine && <TransitionTable machine={drawing} {...counts} />}
      {isMachine && <GuardTable machine={drawing} {...counts} />}
      {drawing === 'actors' &&
        undrawnIn(live).map((machine) => (
          <TransitionTable
            key={machine}
            machine={machine}
            {...counts}
            ofWhat={` of ${machine}, which has no drawing here${ofWhat}`}
          />
        ))}
    </>
  );
}

/** Where the text of a drawing is, below it. */
export function MermaidLink({ drawing }: Pick<MachineProps, 'drawing'>): JSX.Element {
  return (
    <p class="quiet">
      <a href={`${apiUrl}machines/${drawing}/drawing?format=mermaid`}>Mermaid source</a>, with the
      actions of each transition and those on entry and exit of each state.
    </p>
  );
}

const isOf = (drawing: string) => (actor: Live['actors'][number]) =>
  drawing === 'actors' || actor.machine === drawing;

/** Machines that only nodes of another version have. */
function undrawnIn({ transitions }: Live): readonly string[] {
  const machines = new Set(transitions.map(({ machine }) => machine));
  return [...machines].filter((machine) => !Object.hasOwn(drawings, machine));
}
