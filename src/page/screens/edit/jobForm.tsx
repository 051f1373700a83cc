import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiProblem } from '../../api/apiProblem.ts';
import { type Answer, readTagged } from '../../api/callApi.ts';
import { formFields } from '../../jobs/jobFieldTable.ts';
import { PauseStatus } from '../../jobs/pauseStatus.tsx';
import { Action } from '../../parts/action.tsx';
import { ProblemBox } from '../../parts/loaded.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { goTo, linkTo } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';
import { confirmChanges } from './confirmChanges.tsx';
import { dropDraft, useDraft } from './drafts.ts';
import { type FormFaults, faultOf, faultsIn, faultsOf, nameField } from './formFaults.ts';
import { FormFields } from './formFields.tsx';
import { formOf, patchOf } from './formValues.ts';
import { type Base, saveJob } from './saveJob.ts';
import { ThreeWays } from './threeWays.tsx';

export interface FormProps {
  /** Null: a new one. */
  readonly job: string | null;
  /** What is saved now; the form goes on from what it began with. */
  readonly base: Base;
  /** Null: it is not paused. */
  readonly pause: Answer<'GET /jobs/{job}'>['pause'];
}

/** The fields of a job, and what is wrong with them. A new job's name is one of them. */
export function JobForm({ job, base: first, pause }: FormProps): JSX.Element {
  const { base, isRestored, reset, type, values } = useDraft(job, first);
  const problem = useSignal<ApiProblem | null>(null);
  /** What somebody else has saved meanwhile. */
  const theirs = useSignal<Base | null>(null);
  const { faults, form, isTried, ofSchedule, show } = useFaults();
  const fields = job === null ? [nameField, ...formFields] : formFields;
  const name = job ?? values.value.name ?? '';

  const save = async () => {
    problem.value = null;
    if (show(faultsOf(fields, values.value))) return;
    const before = base.value.values;
    if (job !== null && !(await confirmChanges(job, before, values.value))) return;
    try {
      await saveJob(job, name, base.value, values.value);
      dropDraft(job);
      goTo(['jobs', name]);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (show(faultsIn(error))) return;
      problem.value = error;
      if (error.code !== 'revision_changed' || job === null) return;
      const { body, tag } = await readTagged('GET /jobs/{job}', { path: { job } });
      theirs.value = { values: formOf(body.fields), tag, revision: body.revision };
    }
  };
  const isChanged =
    job === null || Object.keys(patchOf(base.value.values, values.value)).length > 0;
  return (
    <form ref={form} noValidate onSubmit={(event) => event.preventDefault()}>
      <FormHead
        {...{ job, pause }}
        whyNot={isChanged ? null : 'Nothing is changed.'}
        faults={isTried.value ? faults.value.size : 0}
        onSave={save}
      />
      {isRestored.value && <RestoredNote onReset={reset} />}
      {problem.value && theirs.value === null && <ProblemBox problem={problem.value} />}
      {theirs.value && (
        <ThreeWays
          base={base.value}
          theirs={theirs.value}
          mine={values.value}
          onTake={(taken) => {
            if (theirs.value !== null) base.value = theirs.value;
            values.value = taken;
            [theirs.value, problem.value] = [null, null];
          }}
        />
      )}
      <FormFields
        isNew={job === null}
        name={name}
        values={values.value}
        faults={faults.value}
        ofSchedule={ofSchedule}
        onText={({ key }, text) => {
          type(key, text);
          if (faults.value.has(key)) faults.value = withFault(faults.value, key, null);
        }}
        onLeave={(field) => {
          const fault = faultOf(field, values.value[field.key] ?? '');
          if (fault !== null) faults.value = withFault(faults.value, field.key, fault);
        }}
      />
    </form>
  );
}

/** The faults that are shown. `show` takes others, goes to the first, and says if there are any. */
function useFaults() {
  /** Known before it is sent: shown with others, since the node reads the schedule after them. */
  const ofSchedule = useSignal<FormFaults>(new Map());
  const faults = useSignal<FormFaults>(new Map());
  const tries = useSignal(0);
  const form = useRef<HTMLFormElement>(null);
  const isTried = useComputed(() => tries.value > 0);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [tries.value]);
  const show = (found: FormFaults): boolean => {
    faults.value = found.size === 0 ? found : new Map([...ofSchedule.peek(), ...found]);
    tries.value += 1;
    return found.size > 0;
  };
  return { faults, form, isTried, ofSchedule, show };
}

function withFault(faults: FormFaults, key: string, fault: string | null): FormFaults {
  const others = [...faults].filter(([each]) => each !== key);
  return new Map(fault === null ? others : [...others, [key, fault]]);
}

function RestoredNote({ onReset }: { readonly onReset: () => void }): JSX.Element {
  return (
    <p class="box" role="status">
      What you had typed here is back.{' '}
      <button type="button" class="button plain" onClick={onReset}>
        Start anew
      </button>
    </p>
  );
}

interface HeadProps extends Pick<FormProps, 'job' | 'pause'> {
  readonly whyNot: string | null;
  /** How many fields are wrong in what was to be saved. */
  readonly faults: number;
  readonly onSave: () => Promise<void>;
}

function FormHead({ faults, job, onSave, pause, whyNot }: HeadProps): JSX.Element {
  return (
    <header class="bar">
      <a class="up" href={linkTo(['jobs'])}>
        Jobs
      </a>
      {job !== null && (
        <a class="up" href={linkTo(['jobs', job])}>
          {showLine(job)}
        </a>
      )}
      <h1>{job === null ? 'Add a job' : 'Edit'}</h1>
      <div class="tools">
        <a
          class="button plain"
          href={linkTo(job === null ? ['jobs'] : ['jobs', job])}
          onClick={() => dropDraft(job)}
        >
          Cancel
        </a>
        <Action kind="main" needs="operator" whyNot={whyNot} onAct={onSave}>
          {job === null ? 'Add the job' : 'Save'}
        </Action>
      </div>
      {pause && (
        <span class="statuses">
          <StatusBadge status="paused" />
          <PauseStatus pause={pause} />
        </span>
      )}
      <p class="fault" role="status">
        {faults > 0 && `Not saved: ${faults} ${faults === 1 ? 'field is' : 'fields are'} wrong.`}
      </p>
    </header>
  );
}
