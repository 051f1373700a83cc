/** One field of a cron expression: its name for people and what it takes. */
export interface FieldSpec {
  readonly name: FieldName;
  readonly min: number;
  readonly max: number;
  /** The largest step. */
  readonly stepMax: number;
  /** The largest value that `H` may become; 0: it takes no `H`. */
  readonly hashMax: number;
  /** English names of the values from `min` on; three letters or the whole. */
  readonly valueNames: readonly string[];
  /** Its items that are more than numbers, as a message names them. */
  readonly forms: string;
}

export type FieldName =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day of month'
  | 'month'
  | 'day of week'
  | 'year';

const months =
  'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER';
const weekdays = 'SUNDAY MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY';
const weekdayForms = ', nL, n#1 to n#5';

/**
 * The seven fields in the order of a full expression. Weekdays run to 6 here: 7 and the numbers of
 * Quartz are turned into these where they are read. Steps may be as large as the field's maximum;
 * `*\/32` as a day of month is let through besides, since crontabs use it for "the 1st".
 * `H` picks no day after the 28th, which some months do not have.
 */
export const fieldSpecs: readonly FieldSpec[] = [
  spec('second', 0, 59),
  spec('minute', 0, 59),
  spec('hour', 0, 23),
  spec('day of month', 1, 31, { stepMax: 32, hashMax: 28, forms: ', L, L-n, LW, nW' }),
  spec('month', 1, 12, { valueNames: months.split(' ') }),
  spec('day of week', 0, 6, { stepMax: 7, valueNames: weekdays.split(' '), forms: weekdayForms }),
  spec('year', 1970, 2099, { stepMax: 99, hashMax: 0 }),
];

function spec(
  name: FieldName,
  min: number,
  max: number,
  options: Partial<FieldSpec> = {},
): FieldSpec {
  return { name, min, max, stepMax: max, hashMax: max, valueNames: [], forms: '', ...options };
}

/** What a field takes, as a message says it. */
export function allowedIn(spec: FieldSpec, dialect: 'unix' | 'quartz'): string {
  const { name, min, max, valueNames, forms, hashMax } = spec;
  const [first, last] = [valueNames[0], valueNames.at(-1)];
  const names = first && last ? ` (${first.slice(0, 3)}-${last.slice(0, 3)})` : '';
  const ofWeek = dialect === 'quartz' ? '1-7 (SUN-SAT)' : '0-7 (SUN-SAT, 0 and 7 are Sunday)';
  const values = name === 'day of week' ? ofWeek : `${min}-${max}${names}`;
  return `${values}, *, ?, ranges a-b, steps /n${forms}${hashMax > 0 ? ', H' : ''}`;
}
