import type { JSX } from 'preact';
import { whyNotAllGroups } from '../../api/session.ts';
import type { VerifyProgress } from '../../api/verifyHistory.ts';
import { jobNamesLike } from '../../jobs/namesLike.tsx';
import { Action } from '../../parts/action.tsx';
import { Choice, SearchField } from '../../parts/choice.tsx';
import { ProblemBox } from '../../parts/loaded.tsx';
import { changeQuery, place } from '../../state/place.ts';
import { countOf } from '../../text/formatNumber.ts';
import { useVerification, type VerifyScope } from './useVerification.ts';
import { VerifyResult } from './verifyResult.tsx';

const windows = {
  ...{ '': 'the last day', '7d': 'the last 7 days', '30d': 'the last 30 days' },
  all: 'all of the history',
};

/** Computes every tick anew and holds the history against it, when it is asked to. */
export function VerifyScreen(): JSX.Element {
  const { query } = place.value;
  const since = query.get('since') || '1d';
  const job = query.get('job') ?? '';
  const isAsked = query.get('run') === 'yes' && whyNotAllGroups() === null;
  const scope: VerifyScope = { job, since: since === 'all' ? '' : since };
  const { again, state } = useVerification(isAsked ? scope : null);
  const { done, far, problem } = state.value;
  const isUnderWay = isAsked && done === null && problem === null;
  return (
    <div class="screen verify">
      <header class="bar">
        <h1>Verify</h1>
        <Choice name="since" label="How much of the history" choices={windows} />
        <SearchField name="job" label="Only the job of this name" isWhole find={jobNamesLike} />
        {isUnderWay ? (
          <Action icon="stop" onAct={() => changeQuery({ run: undefined })}>
            Stop
          </Action>
        ) : (
          <Action
            icon="verify"
            kind="main"
            whyNot={whyNotAllGroups()}
            onAct={() => {
              if (isAsked) again();
              else changeQuery({ run: 'yes' });
            }}
          >
            {done === null ? 'Verify' : 'Verify again'}
          </Action>
        )}
      </header>
      {isUnderWay && <Progress far={far} />}
      {isAsked && problem !== null && <ProblemBox problem={problem} onRetry={again} />}
      {isAsked && done !== null && <VerifyResult {...done} scope={scope} />}
      {whyNotAllGroups() !== null && <p class="box doubt">{whyNotAllGroups()}</p>}
      {!isAsked && <About />}
    </div>
  );
}

function Progress({ far }: { readonly far: VerifyProgress | null }): JSX.Element {
  return (
    <div class="under-way" role="status">
      <progress aria-label="The verification is under way" />
      <p>
        {far === null
          ? 'It begins.'
          : `So far ${countOf(far.jobs, 'job')} and ${countOf(far.runs, 'row')} of the history.`}
      </p>
    </div>
  );
}

const checks = [
  'Each tick that a schedule named ended in the history: it ran, or the reason why it did not.',
  'No tick was started twice, and no job ran beside itself more often than it may.',
  'Attempts, chains, backfills and pauses went as their jobs say.',
  'No node wrote anything after its session had ended.',
];

/** What it is, before it is asked for. */
function About(): JSX.Element {
  return (
    <div class="about">
      <p class="sentence">
        A verification computes each tick of each revision again, and looks whether the history
        agrees:
      </p>
      <ul>
        {checks.map((check) => (
          <li key={check}>{check}</li>
        ))}
      </ul>
      <p class="quiet">
        It reads one snapshot of the database and locks nothing. The more history there is, the
        longer it takes; a node does one at a time.
      </p>
    </div>
  );
}
