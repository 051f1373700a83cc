import { callApi } from '../../api/callApi.ts';
import { say } from '../../parts/messages.tsx';
import { showLine } from '../../text/showControls.ts';
import { type FormValues, fieldsOf, patchOf } from './formValues.ts';

/** What the form began with. */
export interface Base {
  readonly values: FormValues;
  /** Of what was read; null: there is no job yet. */
  readonly tag: string | null;
  readonly revision: number;
}

/** Adds the job, or changes what was changed of it. Throws ApiProblem. */
export async function saveJob(
  job: string | null,
  name: string,
  { tag, values: before }: Base,
  values: FormValues,
): Promise<void> {
  if (job === null) {
    const body = { name, ...fieldsOf(values) } as never;
    const { warnings } = await callApi('POST /jobs', { body });
    say({ text: `${showLine(name)} is added.`, hint: warnings.join(' ') });
    return;
  }
  const body = patchOf(before, values) as never;
  const { revision, warnings } = await callApi('PATCH /jobs/{job}', {
    ...{ path: { job }, body, ifMatch: tag ?? '*' },
  });
  say({ text: `Saved as revision ${revision}.`, hint: warnings.join(' ') });
}
