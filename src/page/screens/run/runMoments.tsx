import type { JSX } from 'preact';
import { FullTime, Took } from '../../parts/timeText.tsx';
import { changeQuery } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';
import { chosenMoment, type Life, type Moment, type Phase } from './chosenMoment.ts';

/** Phases and marks of a run by time, a bar for each phase, and a slider over them. */
export function RunMoments({ life }: { readonly life: Life }): JSX.Element {
  const { chosen, moments } = chosenMoment(life);
  const last = moments.length - 1;
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    const index = Number(currentTarget.value);
    changeQuery({ moment: index === last ? undefined : `${index}` });
  };
  const shares = sharesOf(life);
  return (
    <>
      <ol class="steps">
        {moments.map((moment, index) => (
          <li
            key={`${moment.at} ${moment.text}`}
            class={classOf(moment, life)}
            aria-current={index === chosen ? 'step' : undefined}
          >
            <strong>{showLine(moment.text)}</strong>
            <FullTime at={moment.at} none="not known" />
            {moment.phase && <PhaseLine phase={moment.phase} life={life} shares={shares} />}
          </li>
        ))}
      </ol>
      <label class="moment">
        moment
        <input
          type="range"
          max={last}
          value={chosen}
          aria-valuetext={moments[chosen]?.text}
          onInput={choose}
        />
      </label>
    </>
  );
}

const isOpen = (phase: Phase, life: Life) => phase.end === null && life.at !== null;

function classOf({ phase }: Moment, life: Life): string {
  if (phase === null) return 'mark';
  return isOpen(phase, life) ? 'present' : 'done';
}

interface PhaseProps {
  readonly phase: Phase;
  readonly life: Life;
  readonly shares: (instant: string) => number;
}

/** How long a phase took, and where it is in the whole. */
function PhaseLine({ life, phase, shares }: PhaseProps): JSX.Element {
  const { begin, end, text } = phase;
  const until = end ?? life.at;
  if (begin === null || until === null) {
    return (
      <span class="quiet" title={text}>
        how long is not known
      </span>
    );
  }
  const left = Math.min(shares(begin), 99);
  const style = { marginLeft: `${left}%`, width: `${Math.max(1, shares(until) - left)}%` };
  return (
    <>
      <span class="quiet" title={text}>
        <Took from={begin} to={end} />
      </span>
      <span class="took" style={style} />
    </>
  );
}

/** Where an instant is, in percent, between the first and the last that phases have. */
function sharesOf({ at, phases }: Life): PhaseProps['shares'] {
  const known = phases.flatMap(({ begin, end }) => [begin ?? [], end ?? at ?? []].flat());
  const instants = known.map((instant) => Date.parse(instant));
  const [from, to] = [Math.min(...instants), Math.max(...instants)];
  return (instant) => ((Date.parse(instant) - from) / Math.max(to - from, 1)) * 100;
}
