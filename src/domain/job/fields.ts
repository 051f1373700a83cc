import { executionFields } from './fieldTable/executionFields.ts';
import { type Field, rowsWith, under } from './fieldTable/field.ts';
import { identityFields } from './fieldTable/identityFields.ts';
import { notifyFields } from './fieldTable/notifyFields.ts';
import { orderFields } from './fieldTable/orderFields.ts';
import { placeFields } from './fieldTable/placeFields.ts';
import { processFields } from './fieldTable/processFields.ts';
import { scheduleFields } from './fieldTable/scheduleFields.ts';

const table = {
  ...identityFields,
  ...scheduleFields,
  ...executionFields,
  ...placeFields,
  ...processFields,
  ...orderFields,
  ...notifyFields,
};

/** The table's type, of which the types of definitions and of given fields are derived. */
export type FieldTable = typeof table;

/**
 * Every field that a job's definition is written with, in the order of the help, of exports and of
 * `job show`. From a row derive: its flag, its key in files and in the API, the types of both, its
 * reading, writing and checking, its place in a stored definition, and its line of `job show`.
 */
export const jobFields: readonly Field[] = Object.values(table);

/** The field that is stored under a name; of a whole its first part. */
export function fieldStoredAs(stored: string): Field | undefined {
  const name = stored === 'moreSchedules' ? 'schedule' : stored;
  return jobFields.find((each) => each.stored === name || each.stored.startsWith(`${name}.`));
}

const pause = rowsWith({ format: 1 });

/**
 * What a new job is made with besides its definition: a pause is no part of that, so that it can be
 * made and ended without another one.
 */
export const pauseFields: readonly Field[] = Object.values(
  under('What it is:', {
    paused: pause.toggle('paused', 'its schedule rests until it is resumed', {}),
    pausedUntil: pause.text(
      'pausedUntil',
      'its schedule rests until then, e.g. 2030-01-31T09:30; without an offset in its zone',
      {
        value: 'when',
      },
    ),
  }),
);
