import type { JSX } from 'preact';
import { readTagged } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import type { ScreenProps } from '../../frame/screen.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { showLine } from '../../text/showControls.ts';
import { formOf } from './formValues.ts';
import { JobForm } from './jobForm.tsx';
import type { Base } from './saveJob.ts';

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
