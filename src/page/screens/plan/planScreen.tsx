import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ApiProblem } from '../../api/apiProblem.ts';
import { callApi, readTagged } from '../../api/callApi.ts';
import { Action } from '../../parts/action.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { say } from '../../parts/messages.tsx';
import { changeQuery, place } from '../../state/place.ts';
import { PlanInput } from './planInput.tsx';
import { PlanProblem } from './planProblem.tsx';
import { countsText, type Plan, PlanSteps } from './planSteps.tsx';

/** The file, which stays there while its reader looks at other screens. */
const file = signal('');

/** What applying a file of jobs would change, and the way to do so. */
export function PlanScreen(): JSX.Element {
  const prune = place.value.query.get('prune') === 'yes';
  const plan = useSignal<Plan | null>(null);
  /** Of the plan that is shown. */
  const tag = useSignal<string | null>(null);
  const problem = useSignal<ApiProblem | null>(null);
  const forget = () => {
    plan.value = null;
    problem.value = null;
  };
  const read = async () => {
    forget();
    try {
      const planned = await readTagged('POST /plan', inputOf(prune));
      [plan.value, tag.value] = [planned.body, planned.tag];
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      problem.value = error;
    }
  };
  const apply = async () => {
    const shown = plan.value;
    if (shown === null || !(await confirm(questionOf(shown)))) return;
    try {
      const ifMatch = tag.value ?? '*';
      plan.value = await callApi('POST /apply', { ...inputOf(prune), ifMatch });
      say({ text: 'The file is applied.' });
    } catch (error) {
      if (!(error instanceof ApiProblem && error.code === 'revision_changed')) throw error;
      await read();
      const hint = 'The plan is another one now: look at it again.';
      say({ text: 'Somebody else has changed the jobs meanwhile.', hint, isBad: true });
    }
  };
  return (
    <div class="screen plan">
      <header class="bar">
        <h1>Plan</h1>
        <div class="tools">
          <Action whyNot={file.value.trim() === '' ? 'There is no file yet.' : null} onAct={read}>
            Show the plan
          </Action>
          <Action kind="main" needs="operator" whyNot={whyNotApply(plan.value)} onAct={apply}>
            Apply it
          </Action>
        </div>
      </header>
      <div class="columns">
        <PlanInput
          {...{ file, prune }}
          onChange={forget}
          onPrune={(is) => {
            changeQuery({ prune: is ? 'yes' : undefined });
            forget();
          }}
        />
        <div>
          {problem.value !== null && <PlanProblem problem={problem.value} />}
          {plan.value === null ? (
            problem.value === null && <About />
          ) : (
            <PlanSteps plan={plan.value} />
          )}
        </div>
      </div>
    </div>
  );
}

function inputOf(prune: boolean) {
  return { text: file.value, query: { prune: `${prune}` } } as const;
}

function whyNotApply(plan: Plan | null): string | null {
  if (plan === null) return 'Look at the plan first.';
  if (!plan.dryRun) return 'It is applied.';
  const isNothing = plan.added + plan.edited + plan.removed === 0;
  return isNothing ? 'The jobs are like this already.' : null;
}

function questionOf(plan: Plan) {
  const body = <p>{countsText(plan)}. Runs under way continue.</p>;
  return { title: 'Apply this plan?', body, act: 'Apply it', isDanger: plan.removed > 0 };
}

function About(): JSX.Element {
  return (
    <p class="quiet">
      What the file would change is shown here, and nothing is done before you apply it. The same is
      shown by <code>statecron apply jobs.yaml --dry-run</code>; <code>statecron export</code>{' '}
      writes such a file.
    </p>
  );
}
