import { confirm } from '../../parts/confirm.tsx';
import { showControls, showLine } from '../../text/showControls.ts';
import type { FormValues } from './formValues.ts';
import { formFields } from './jobFieldTable.ts';

/** Shows what a save would change, field by field, and asks whether to. */
export function confirmChanges(job: string, before: FormValues, after: FormValues) {
  const changed = formFields.filter(({ key }) => (before[key] ?? '') !== (after[key] ?? ''));
  const shown = (values: FormValues, key: string) => showControls(values[key] ?? '') || 'default';
  return confirm({
    title: `Save these changes of ${showLine(job)}?`,
    body: (
      <dl class="diff">
        {changed.map(({ flag, key }) => (
          <div key={key}>
            <dt>{flag}</dt>
            <dd>
              <del>{shown(before, key)}</del>
              <ins>{shown(after, key)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    ),
    act: 'Save',
  });
}
