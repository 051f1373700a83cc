import type { JSX } from 'preact';
import { formFields, labelOf } from '../../jobs/jobFieldTable.ts';
import { showControls } from '../../text/showControls.ts';
import type { FormValues } from './formValues.ts';
import type { Base } from './saveJob.ts';

interface ThreeWaysProps {
  readonly base: Base;
  readonly theirs: Base;
  readonly mine: FormValues;
  readonly onTake: (values: FormValues) => void;
}

/** Somebody else has saved meanwhile: what was, what they made of it, and what stands here. */
export function ThreeWays({ base, theirs, mine, onTake }: ThreeWaysProps): JSX.Element {
  const of = (values: FormValues, key: string) => values[key] ?? '';
  const differing = formFields.filter(({ key }) => {
    const before = of(base.values, key);
    return of(theirs.values, key) !== before || of(mine, key) !== before;
  });
  const merged = Object.fromEntries(
    formFields.map(({ key }) => {
      const isMine = of(mine, key) !== of(base.values, key);
      return [key, isMine ? of(mine, key) : of(theirs.values, key)];
    }),
  );
  return (
    <div class="box doubt" role="alert">
      <p>
        <strong>Somebody else has changed the job meanwhile</strong> (revision {theirs.revision}).
        Nothing of yours is saved yet.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">Theirs</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {differing.map((field) => (
            <tr key={field.key}>
              <td>{labelOf(field)}</td>
              {[base.values, theirs.values, mine].map((values, place) => (
                <td key={place}>
                  <code>{showControls(of(values, field.key)) || 'default'}</code>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="actions">
        <button type="button" class="button main" onClick={() => onTake(merged)}>
          Take both; mine where both changed
        </button>{' '}
        <button type="button" class="button plain" onClick={() => onTake(theirs.values)}>
          Take theirs
        </button>
      </p>
    </div>
  );
}
