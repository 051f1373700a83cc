import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ApiProblem } from '../../api/apiProblem.ts';
import { readTagged } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import type { ScreenProps } from '../../frame/screen.ts';
import { Action } from '../../parts/action.tsx';
import { Loaded, ProblemBox } from '../../parts/loaded.tsx';
import { goTo, linkTo } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';
import { confirmChanges } from './confirmChanges.tsx';
import { FieldInput } from './fieldInput.tsx';
import { type FormValues, formOf, patchOf } from './formValues.ts';
import { type FormField, fieldGroups } from './jobFieldTable.ts';
import { type Base, saveJob } from './saveJob.ts';
import { SchedulePreview } from './schedulePreview.tsx';
import { ThreeWays } from './threeWays.tsx';

/** A job's definition as a form, made of the table of job fields. */
export function EditScreen({ names: { job = '' } }: ScreenProps): JSX.Element {
  const base = useResource<Base>(job, {
    read: async (signal) => {
      const { body, tag } = await readTagged('GET /jobs/{job}', { path: { job }, signal });
      return { values: formOf(body.fields), tag: tag ?? '*', revision: body.revision };
    },
    everyMs: null,
  });
  return (
    <div class="screen edit">
      {base.data.value === null && (
        <header class="bar">
          <h1>Edit {showLine(job)}</h1>
        </header>
      )}
      <Loaded of={base} lines={12}>
        {(loaded) => <JobForm job={job} base={loaded} />}
      </Loaded>
    </div>
  );
}

/** A new job. */
export function AddScreen(): JSX.Element {
  return (
    <div class="screen edit">
      <JobForm job={null} base={{ values: formOf({}), tag: null, revision: 0 }} />
    </div>
  );
}

function JobForm({ job, base: first }: { job: string | null; base: Base }): JSX.Element {
  const base = useSignal(first);
  const values = useSignal<FormValues>(first.values);
  const name = useSignal(job ?? '');
  const problem = useSignal<ApiProblem | null>(null);
  /** What somebody else has saved meanwhile. */
  const theirs = useSignal<Base | null>(null);
  const save = async () => {
    const before = base.value.values;
    if (job !== null && !(await confirmChanges(job, before, values.value))) return;
    try {
      await saveJob(job, name.value, base.value, values.value);
      goTo(['jobs', name.value]);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      problem.value = error;
      if (error.code !== 'revision_changed' || job === null) return;
      const { body, tag } = await readTagged('GET /jobs/{job}', { path: { job } });
      theirs.value = { values: formOf(body.fields), tag, revision: body.revision };
    }
  };
  const isChanged =
    job === null || Object.keys(patchOf(base.value.values, values.value)).length > 0;
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <FormHead job={job} isChanged={isChanged} onSave={save} />
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
        job={job}
        name={name.value}
        values={values.value}
        faults={problem.value?.fields ?? new Map()}
        onName={(text) => {
          name.value = text;
        }}
        onText={(key, text) => {
          values.value = { ...values.value, [key]: text };
        }}
      />
    </form>
  );
}

interface HeadProps {
  readonly job: string | null;
  readonly isChanged: boolean;
  readonly onSave: () => Promise<void>;
}

function FormHead({ job, isChanged, onSave }: HeadProps): JSX.Element {
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
        <a class="button plain" href={linkTo(job === null ? ['jobs'] : ['jobs', job])}>
          Cancel
        </a>
        <Action
          kind="main"
          needs="operator"
          whyNot={isChanged ? null : 'Nothing is changed.'}
          onAct={onSave}
        >
          {job === null ? 'Add the job' : 'Save'}
        </Action>
      </div>
    </header>
  );
}

interface FieldsProps {
  readonly job: string | null;
  readonly name: string;
  readonly values: FormValues;
  /** What the node finds wrong, by fields. */
  readonly faults: ReadonlyMap<string, string>;
  readonly onName: (text: string) => void;
  readonly onText: (key: string, text: string) => void;
}

function FormFields({ job, name, values, faults, onName, onText }: FieldsProps): JSX.Element {
  const { main, rest } = fieldGroups();
  const input = (field: FormField) => (
    <FieldInput
      key={field.key}
      field={field}
      text={values[field.key] ?? ''}
      fault={faultOf(faults, field.key)}
      onText={(text) => onText(field.key, text)}
    />
  );
  return (
    <div class="columns">
      <div>
        {job === null && (
          <FieldInput field={nameField} text={name} fault={faults.get('name')} onText={onName} />
        )}
        {main.map(input)}
      </div>
      <div>
        <SchedulePreview name={name} values={values} />
        {[...rest].map(([heading, fields]) => (
          <details key={heading} open={fields.some(({ key }) => isSet(values, faults, key))}>
            <summary>{heading}</summary>
            {fields.map(input)}
          </details>
        ))}
      </div>
    </div>
  );
}

const nameField: FormField = {
  ...{ key: 'name', flag: 'name', heading: '', help: 'unique in the cluster', value: 'name' },
  ...{ isNeeded: true, kind: 'text', choices: null },
};

function isSet(values: FormValues, faults: ReadonlyMap<string, string>, key: string): boolean {
  return (values[key] ?? '') !== '' || faultOf(faults, key) !== undefined;
}

/** A fault of an item of a list is named `cron.0`. */
function faultOf(faults: ReadonlyMap<string, string>, key: string): string | undefined {
  return [...faults].find(([name]) => name === key || name.startsWith(`${key}.`))?.[1];
}
