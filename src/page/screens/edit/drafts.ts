import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { noteUnsaved, whenDropped } from '../../state/unsaved.ts';
import { type FormValues, patchOf } from './formValues.ts';
import type { Base } from './saveJob.ts';

/** What was typed and not saved. */
interface Draft {
  readonly base: Base;
  readonly values: FormValues;
}

/**
 * By the job, `''` for a new one: who looks at another screen finds it again. It is kept in memory
 * alone, since secrets may be among it.
 */
const drafts = new Map<string, Draft>();
whenDropped(() => {
  drafts.clear();
  noteUnsaved('drafts', false);
});

/** What stands in the form of a job: what was typed before, or what is saved. */
export function useDraft(job: string | null, saved: Base) {
  const [draft] = useState(() => drafts.get(job ?? ''));
  const base = useSignal(draft?.base ?? saved);
  const values = useSignal<FormValues>(draft?.values ?? saved.values);
  const isRestored = useSignal(draft !== undefined);
  const type = (key: string, text: string): void => {
    values.value = { ...values.value, [key]: text };
    keepDraft(job, { base: base.value, values: values.value });
  };
  const reset = (): void => {
    dropDraft(job);
    [base.value, values.value] = [saved, saved.values];
    isRestored.value = false;
  };
  return { base, values, isRestored, type, reset };
}

/** Keeps what is typed where it differs from what is saved. */
function keepDraft(job: string | null, draft: Draft): void {
  const { base, values } = draft;
  const isOther =
    Object.keys(patchOf(base.values, values)).length > 0 || values.name !== base.values.name;
  if (isOther) drafts.set(job ?? '', draft);
  else drafts.delete(job ?? '');
  noteUnsaved('drafts', drafts.size > 0);
}

export function dropDraft(job: string | null): void {
  drafts.delete(job ?? '');
  noteUnsaved('drafts', drafts.size > 0);
}
