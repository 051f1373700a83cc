import type { JSX } from 'preact';
import type { Answer } from '../../api/callApi.ts';
import { FieldChanges } from '../../parts/fieldChanges.tsx';
import { Section } from '../../parts/section.tsx';
import { type Status, StatusBadge } from '../../parts/statusBadge.tsx';
import { linkTo } from '../../state/place.ts';
import { countOf, formatCount } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';

export type Plan = Answer<'POST /plan'>;
type Step = Plan['plan'][number];

const actions: Readonly<Record<Step['action'], { status: Status; word: string; done: string }>> = {
  add: { status: 'succeeded', word: 'add', done: 'added' },
  edit: { status: 'prepared', word: 'change', done: 'changed' },
  remove: { status: 'failed', word: 'remove', done: 'removed' },
  unchanged: { status: 'idle', word: 'unchanged', done: 'unchanged' },
};

/** So many jobs are listed. */
const shownMax = 500;

/** What it adds, changes and removes; what stays as it is, is counted. */
export function PlanSteps({ plan }: { readonly plan: Plan }): JSX.Element {
  const steps = plan.plan.filter(({ action }) => action !== 'unchanged');
  const left = steps.length - shownMax;
  return (
    <Section title={plan.dryRun ? 'What it would change' : 'What was changed'}>
      <p>{countsText(plan)}.</p>
      {plan.warnings.map((warning) => (
        <p key={warning} class="box doubt">
          {showLine(warning)}
        </p>
      ))}
      <ol class="plan-steps">
        {steps.slice(0, shownMax).map((step) => (
          <PlanStep key={step.job} step={step} isDone={!plan.dryRun} />
        ))}
      </ol>
      {left > 0 && <p class="quiet">and {countOf(left, 'more job')}</p>}
    </Section>
  );
}

function PlanStep({ isDone, step }: { readonly step: Step; readonly isDone: boolean }) {
  const { action, changes, diff = [], group, job } = step;
  const { done, status, word } = actions[action];
  const others = changes.filter((change) => diff.every(({ field }) => field !== change));
  const isThere = isDone ? action !== 'remove' : action !== 'add';
  return (
    <li>
      <div class="line">
        <StatusBadge status={status} word={isDone ? done : word} />
        {isThere ? (
          <a href={linkTo(['jobs', job])} data-row>
            {showLine(job)}
          </a>
        ) : (
          <strong>{showLine(job)}</strong>
        )}
        {group !== 'default' && <span class="chip group">{showLine(group)}</span>}
        {others.length > 0 && <span class="quiet">{showLine(others.join(', '))}</span>}
      </div>
      <FieldChanges changes={diff} />
    </li>
  );
}

/** `1 job added, 2 changed, 30 unchanged`, or what would be. */
export function countsText({ added, dryRun, edited, removed, unchanged }: Plan): string {
  const counts = [
    [added, 'add'],
    [edited, 'edit'],
    [removed, 'remove'],
    [unchanged, 'unchanged'],
  ] as const;
  const words = counts
    .filter(([count]) => count > 0)
    .map(([count, action]) => `${formatCount(count)} ${actions[action].done}`);
  return `${dryRun ? 'Jobs that would be: ' : 'Jobs: '}${words.join(', ') || 'none'}`;
}
