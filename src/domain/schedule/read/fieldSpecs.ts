/** One field of a cron expression: its name for people and what it takes. */
export interface FieldSpec {
  readonly name: FieldName;
  readonly min: number;
  readonly max: number;
  /** The largest step. */
  readonly stepMax: number;
  /** The largest value that `H` may become. */
  readonly hashMax: number;
  /** English words from `min` on; three letters or the whole. */
  readonly words: readonly string[];
}

export type FieldName =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day of month'
  | 'month'
  | 'day of week'
  | 'year';

const monthWords = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
];

/** Sunday first. */
const weekdayWords = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];

/**
 * The seven fields in the order of a full expression. Weekdays run to 6 here: 7 and the numbers of
 * Quartz are turned into these where they are read. Steps may be as large as the field's maximum;
 * `*\/32` as a day of month is let through besides, since crontabs use it for "the 1st".
 * `H` picks no day after the 28th, which some months do not have.
 */
export const fieldSpecs: Readonly<Record<FieldName, FieldSpec>> = {
  second: { name: 'second', min: 0, max: 59, stepMax: 59, hashMax: 59, words: [] },
  minute: { name: 'minute', min: 0, max: 59, stepMax: 59, hashMax: 59, words: [] },
  hour: { name: 'hour', min: 0, max: 23, stepMax: 23, hashMax: 23, words: [] },
  'day of month': {
    name: 'day of month',
    min: 1,
    max: 31,
    stepMax: 32,
    hashMax: 28,
    words: [],
  },
  month: { name: 'month', min: 1, max: 12, stepMax: 12, hashMax: 12, words: monthWords },
  'day of week': {
    name: 'day of week',
    min: 0,
    max: 6,
    stepMax: 7,
    hashMax: 6,
    words: weekdayWords,
  },
  year: { name: 'year', min: 1970, max: 2099, stepMax: 99, hashMax: 0, words: [] },
};

/** The value that a word stands for, or null. `text` is upper case. */
export function valueOfWord(spec: FieldSpec, text: string): number | null {
  if (text.length < 3) return null;
  const index = spec.words.findIndex((word) => word === text || word.slice(0, 3) === text);
  return index < 0 ? null : spec.min + index;
}

/** What a field takes, as a message says it. */
export function allowedIn(spec: FieldSpec, dialect: 'unix' | 'quartz'): string {
  switch (spec.name) {
    case 'day of month':
      return '1-31, *, ?, ranges a-b, steps /n, L, L-n, LW, nW, H';
    case 'day of week':
      return [
        dialect === 'quartz' ? '1-7 (SUN-SAT)' : '0-7 (SUN-SAT, 0 and 7 are Sunday)',
        '*, ?, ranges a-b, steps /n, nL, n#1 to n#5, H',
      ].join(', ');
    case 'month':
      return '1-12 (JAN-DEC), *, ?, ranges a-b, steps /n, H';
    case 'year':
      return '1970-2099, *, ?, ranges a-b, steps /n';
    default:
      return `${spec.min}-${spec.max}, *, ?, ranges a-b, steps /n, H`;
  }
}
