import { effect, signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { NamesOf } from '../../acts/namesOf.tsx';
import { ApiProblem } from '../../api/apiProblem.ts';
import { callApi, readTagged } from '../../api/callApi.ts';
import { Action } from '../../parts/action.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { Loading } from '../../parts/loaded.tsx';
import { say } from '../../parts/messages.tsx';
import { noteUnsaved, whenDropped } from '../../state/unsaved.ts';
import { PlanInput } from './planInput.tsx';
import { PlanProblem } from './planProblem.tsx';
import { countsText, type Plan, PlanSteps } from './planSteps.tsx';

/** What is asked, which stays there while its reader looks at other screens. */
const file = signal('');
/** What of it is in force already. */
const applied = signal('');
whenDropped(() => {
  file.value = '';
});
effect(() => noteUnsaved('plan', !['', applied.value].includes(file.value.trim())));
const prune = signal(false);

/** What applying a file of jobs would change, and the way to do so. */
export function PlanScreen(): JSX.Element {
  const plan = useSignal<Plan | null>(null);
  /** Of the plan that is shown. */
  const tag = useSignal<string | null>(null);
  const problem = useSignal<ApiProblem | null>(null);
  /** Ends the reading that is under way. */
  const reading = useSignal<AbortController | null>(null);
  const forget = () => {
    reading.value?.abort();
    [reading.value, plan.value, problem.value] = [null, null, null];
  };
  const read = async () => {
    forget();
    const own = new AbortController();
    reading.value = own;
    try {
      const planned = await readTagged('POST /plan', { ...input(), signal: own.signal });
      [plan.value, tag.value] = [planned.body, planned.tag];
    } catch (error) {
      // What it was asked of is not there any more.
      if (own.signal.aborted) return;
      if (!(error instanceof ApiProblem)) throw error;
      problem.value = error;
    }
    reading.value = null;
  };
  const apply = async () => {
    const shown = plan.value;
    if (shown === null || !(await confirm(questionOf(shown)))) return;
    try {
      const ifMatch = tag.value ?? '*';
      plan.value = await callApi('POST /apply', { ...input(), ifMatch });
      applied.value = file.value.trim();
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
        <PlanInput {...{ file, prune }} onChange={forget} />
        <div>
          {reading.value !== null && <Loading lines={3} />}
          {problem.value !== null && <PlanProblem problem={problem.value} />}
          {plan.value === null ? (
            problem.value === null && reading.value === null && <About />
          ) : (
            <PlanSteps plan={plan.value} />
          )}
        </div>
      </div>
    </div>
  );
}

function input() {
  return { text: file.value, query: { prune: `${prune.value}` } } as const;
}

function whyNotApply(plan: Plan | null): string | null {
  if (plan === null) return 'Look at the plan first.';
  if (!plan.dryRun) return 'It is applied.';
  const isNothing = plan.added + plan.edited + plan.removed === 0;
  return isNothing ? 'The jobs are like this already.' : null;
}

function questionOf(plan: Plan) {
  const removed = plan.plan.flatMap(({ action, job }) => (action === 'remove' ? [job] : []));
  const body = (
    <>
      <p>{countsText(plan)}. Runs under way continue.</p>
      {removed.length > 0 && (
        <>
          <p>It removes:</p>
          <NamesOf names={removed} count={removed.length} />
        </>
      )}
    </>
  );
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
