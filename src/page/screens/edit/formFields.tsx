import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { type FormField, fieldGroups } from '../../jobs/jobFieldTable.ts';
import { FieldInput } from './fieldInput.tsx';
import { type FormFaults, nameField } from './formFaults.ts';
import type { FormValues } from './formValues.ts';
import { SchedulePreview } from './schedulePreview.tsx';

/** Where there is one column, what the schedule means stands next to it. */
function isEarly({ key }: FormField): boolean {
  return ['name', 'cron', 'timezone'].includes(key);
}

interface FieldsProps {
  readonly isNew: boolean;
  readonly name: string;
  readonly values: FormValues;
  readonly faults: FormFaults;
  /** What the node finds wrong with the schedule as it is typed. */
  readonly ofSchedule: Signal<FormFaults>;
  readonly onText: (field: FormField, text: string) => void;
  /** The field is no longer the one that is typed in. */
  readonly onLeave: (field: FormField) => void;
}

/** The fields that most jobs have, what their schedule means, and the others by their headings. */
export function FormFields(props: FieldsProps): JSX.Element {
  const { faults, isNew, name, ofSchedule, onLeave, onText, values } = props;
  const { main, rest } = fieldGroups();
  const input = (field: FormField) => (
    <FieldInput
      key={field.key}
      isEarly={isEarly(field)}
      field={field}
      text={values[field.key] ?? ''}
      fault={faults.get(field.key)}
      onText={(text) => onText(field, text)}
      onLeave={() => onLeave(field)}
    />
  );
  const isShown = ({ key }: FormField) => (values[key] ?? '') !== '' || faults.has(key);
  return (
    <div class="columns">
      <div>{[...(isNew ? [nameField] : []), ...main].map(input)}</div>
      <div>
        <SchedulePreview {...{ name, values }} shown={faults} found={ofSchedule} />
        {[...rest].map(([heading, fields]) => (
          <details key={heading} open={fields.some(isShown)}>
            <summary>{heading}</summary>
            {fields.map(input)}
          </details>
        ))}
      </div>
    </div>
  );
}
