/** What a row of the table of job fields may say of a field besides its name, kind and help. */
interface FieldOptions {
  /** What stands for its value in the help. */
  readonly value?: string;
  /** The value of a job that does not say it, as it is stored. */
  readonly default?: unknown;
  /** What `--no-…` of `job edit` comes to; without it, a value stands for the absence. */
  readonly without?: string;
  /** A new job cannot be made without it. */
  readonly isNeeded?: boolean;
  /** What its line of `job show` says, `{}` standing for the value; absent: the value. */
  readonly shown?: string;
  /** Its default has a line of `job show`, too: it says what becomes of ticks and runs. */
  readonly isAlwaysShown?: true;
  /** Each item of a list, and each variable, has a line of its own in `job show`. */
  readonly hasLines?: boolean;
  /** What is wrong with a text, or with one item of a list, or null. */
  readonly check?: (text: string) => string | null;
  /**
   * Who looks at it beside the writer of a definition; absent: every node, which leaves a job that
   * it does not understand to others. `nobody`: to a node any value will do. `schedule`: it is read
   * with the schedule, and is not checked by this table.
   */
  readonly checkedBy?: 'nobody' | 'schedule';
}

/** Items of a list that are stored otherwise than as the texts that people write. */
interface ItemCodec {
  readonly read: (text: string) => unknown;
  readonly write: (item: never) => string;
  readonly show: (item: never) => string;
}

interface Bounds {
  /** Of the value as it is stored, both included. */
  readonly least: number;
  readonly most: number;
}

/** The kinds of fields, and what is said of a field of the kind only. */
interface KindOptions {
  text: object;
  /** Texts, each once; may be given several times. */
  list: { readonly item?: ItemCodec; readonly itemsMax?: number };
  /** Names and values. */
  variables: { readonly bytesMax?: number };
  /** `seconds`: it is stored in whole seconds instead of milliseconds. */
  duration: Partial<Bounds> & { readonly seconds?: true };
  /** Bytes. */
  size: Bounds;
  number: Bounds;
  switch: object;
  /** One of several choices, each with what it means. */
  choice: { readonly choices: Readonly<Record<string, string>> };
  /** Some of several choices. */
  choices: { readonly choices: readonly string[] };
}

type FieldKind = keyof KindOptions;

/** A row of the table as it is written down. `stored`: its name, or `WHOLE.PART`, in JSON. */
type FieldRow = {
  [K in FieldKind]: FieldOptions &
    KindOptions[K] & {
      readonly kind: K;
      readonly stored: string;
      readonly help: string;
      readonly value: string;
      /**
       * The least format of a definition that may have it, see `definitionFormat`. Fields of format
       * 1 are in every definition, others only where their value is not the default.
       */
      readonly format: number;
    } & (K extends 'duration' ? Bounds : object);
}[FieldKind];

/** One field of a job: all that is known of it, for whatever handles fields. */
export type Field = FieldRow & {
  /** In JSON, in the API and in the options of a command, e.g. `catchUp`. */
  readonly key: string;
  /** The flag without its dashes, and the key in files of jobs, e.g. `catch-up`. */
  readonly flag: string;
  /** Under which heading of the help. */
  readonly heading: string;
  /** The name that it is stored under, and of which part of that, if any, it is. */
  readonly name: string;
  readonly part: string | undefined;
};

/** The value that a definition has for a field, or undefined. Of `cron` all of its schedules. */
export function storedOf(definition: object, { key, name, part }: Field): unknown {
  const values = definition as Readonly<Record<string, unknown>>;
  if (key === 'cron') {
    const { schedule, moreSchedules = [] } = values;
    return schedule === undefined ? undefined : [schedule, ...(moreSchedules as string[])];
  }
  const value = values[name];
  if (part === undefined) return value;
  return typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
}

const yearMs = 366 * 24 * 3_600_000;

/**
 * The makers of rows that have something in common, the format at least: each takes the stored
 * name, the help, and what else there is to say.
 */
export function rowsWith<const C extends FieldOptions & Pick<FieldRow, 'format'>>(common: C) {
  return {
    text: rowsOf('text', { value: 'text', ...common }),
    list: rowsOf('list', { value: 'name', ...common }),
    variables: rowsOf('variables', { value: 'K=V', hasLines: true, ...common }),
    duration: rowsOf('duration', { value: 'duration', least: 1, most: yearMs, ...common }),
    size: rowsOf('size', { value: 'size', ...common }),
    count: rowsOf('number', { value: 'number', ...common }),
    toggle: rowsOf('switch', { value: '', ...common }),
    choice: rowsOf('choice', { value: 'policy', ...common }),
    choices: rowsOf('choices', { value: 'what', ...common }),
  };
}

function rowsOf<K extends FieldKind, U extends object>(kind: K, usual: U) {
  return <const S extends string, const O extends FieldOptions & KindOptions[K]>(
    stored: S,
    help: string,
    options: O,
  ) => ({ kind, stored, help, ...usual, ...options });
}

type Names = Pick<Field, 'key' | 'flag' | 'heading' | 'name' | 'part'>;

/** Names the rows of one heading by the keys that they stand under. */
export function under<const T extends Readonly<Record<string, FieldRow>>>(
  heading: string,
  rows: T,
): { readonly [K in keyof T]: T[K] & Names } {
  const named = Object.entries(rows).map(([key, row]) => {
    const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const [name, part] = row.stored.split('.');
    return [key, { ...row, key, flag, heading, name, part }];
  });
  return Object.fromEntries(named) as { readonly [K in keyof T]: T[K] & Names };
}
