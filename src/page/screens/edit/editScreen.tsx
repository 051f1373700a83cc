import type { JSX } from 'preact';
import { readTagged } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import type { ScreenProps } from '../../frame/screen.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { showLine } from '../../text/showControls.ts';
import { formOf } from './formValues.ts';
import { type FormProps, JobForm } from './jobForm.tsx';
import type { Base } from './saveJob.ts';

interface JobRead extends Pick<FormProps, 'pause'> {
  readonly base: Base;
}

/** A job's definition as a form, made of the table of job fields. */
export function EditScreen({ names: { job = '' } }: ScreenProps): JSX.Element {
  const read = useResource<JobRead>(job, {
    read: async (signal) => {
      const { body, tag } = await readTagged('GET /jobs/{job}', { path: { job }, signal });
      const base = { values: formOf(body.fields), tag: tag ?? '*', revision: body.revision };
      return { base, pause: body.pause };
    },
    isAbout: (event) => 'job' in event && event.job === job,
  });
  return (
    <div class="screen edit">
      {read.data.value === null && (
        <header class="bar">
          <h1>Edit {showLine(job)}</h1>
        </header>
      )}
      <Loaded of={read} lines={12}>
        {({ base, pause }) => <JobForm {...{ job, base, pause }} />}
      </Loaded>
    </div>
  );
}

/** A new job. */
export function AddScreen(): JSX.Element {
  return (
    <div class="screen edit">
      <JobForm job={null} pause={null} base={{ values: formOf({}), tag: null, revision: 0 }} />
    </div>
  );
}
