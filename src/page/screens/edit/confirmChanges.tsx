import { formFields, labelOf } from '../../jobs/jobFieldTable.ts';
import { confirm } from '../../parts/confirm.tsx';
import { showControls, showLine } from '../../text/showControls.ts';
import type { FormValues } from './formValues.ts';

/** Shows what a save would change, field by field, and asks whether to. */
export function confirmChanges(job: string, before: FormValues, after: FormValues) {
  const changed = formFields.filter(({ key }) => (before[key] ?? '') !== (after[key] ?? ''));
  const shown = (values: FormValues, key: string) => showControls(values[key] ?? '') || 'default';
  return confirm({
    title: `Save these changes of ${showLine(job)}?`,
    body: (
      <dl class="diff">
        {changed.map((field) => (
          <div key={field.key}>
            <dt>{labelOf(field)}</dt>
            <dd>
              <del>{shown(before, field.key)}</del>
              <ins>{shown(after, field.key)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    ),
    act: 'Save',
  });
}
