import type { CallInput } from './callApi.ts';

type Schedule = NonNullable<CallInput<'POST /schedule/preview'>['body']>;

/** Of the fields of a job those that say when it is due, as `POST /schedule/preview` takes them. */
export function scheduleIn(fields: Readonly<Record<string, unknown>>): Schedule {
  const given = Object.entries(fields).filter(([key]) => keys.includes(key));
  return Object.fromEntries(given) as unknown as Schedule;
}

const keys = [
  'cron',
  'timezone',
  'dialect',
  'dstGap',
  'dstFold',
  'notBefore',
  'notAfter',
  'exclude',
];
