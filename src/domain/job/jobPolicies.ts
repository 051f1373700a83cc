import type { FieldTable } from './fields.ts';

/** `cron` is left out: its first schedule and the others are stored apart. */
type Row = FieldTable[Exclude<keyof FieldTable, 'cron'>];
type Part<Whole extends string> = Extract<Row, { stored: `${Whole}.${string}` }>;
type NameOf<R extends Row> = R['stored'] extends `${string}.${infer Name}` ? Name : R['stored'];

/** The value of a field as a definition has it. */
type Stored<R extends Row> = R extends { kind: 'switch' }
  ? boolean
  : R extends { kind: 'variables' }
    ? Record<string, string>
    : R extends { kind: 'list' }
      ? (R extends { item: { read: (text: string) => infer Item } } ? Item : string)[]
      : R extends { kind: 'choices'; choices: readonly (infer Choice)[] }
        ? Choice[]
        : R extends { kind: 'choice'; choices: infer Choices }
          ? Exclude<keyof Choices & string, Absent<R>>
          : (R extends { kind: 'text' } ? string : number) | Absent<R>;

/**
 * Of a field of format 1 the default is stored, as null where there is no value; of others it is
 * never stored, but as a part of something that is.
 */
type Absent<R extends Row> = R extends { format: 1; default: null }
  ? null
  : R extends { format: 1 } | { stored: `${string}.${string}` } | { kind: 'text' | 'number' }
    ? never
    : R extends { kind: 'choice'; default: infer Default }
      ? Default
      : never;

type PartNamed<R extends Row, Name extends string> = Extract<R, { stored: `${string}.${Name}` }>;

/** Parts with a default are always there. */
type Parts<R extends Row> = {
  [Name in NameOf<Extract<R, { default: unknown }>>]: Stored<PartNamed<R, Name>>;
} & { [Name in NameOf<Exclude<R, { default: unknown }>>]?: Stored<PartNamed<R, Name>> };

/** New attempts of a tick, each a launch of its own. `max`: those after the first. */
export type RetryPolicy = Parts<Part<'retry'>>;

/** Which nodes may run a job, by lists of names. */
export type Target = Parts<Part<'target'>>;

/** Whose notifications go where; the targets stand in a table of their own, by name. */
export type NotifyPolicy = Parts<Part<'notify'>>;

type Base = Extract<Row, { format: 1 }>;
type Optional = Exclude<Row, Base | { stored: `${string}.${string}` }>;

/** What every definition says. */
export type BaseFields = { [R in Base as R['stored']]: Stored<R> } & { schedule: string };

/**
 * What a definition may say besides: absent, each field means what the first release did, so that
 * old definitions stay what they are.
 */
export type JobPolicies = { [R in Optional as R['stored']]?: Stored<R> } & {
  /** Further schedules: the job's ticks are those of all of them together, each instant once. */
  moreSchedules?: string[];
  retry?: RetryPolicy;
  target?: Target;
  notify?: NotifyPolicy;
};

type Given<R> = R extends { kind: 'list' | 'variables' }
  ? readonly string[]
  : R extends { kind: 'choice'; choices: infer Choices }
    ? keyof Choices & string
    : R extends { kind: 'choices'; choices: readonly (infer Choice)[] }
      ? readonly Choice[]
      : R extends { kind: 'switch' }
        ? boolean
        : R extends { kind: 'text' }
          ? string
          : number;

/**
 * Fields as somebody gives them: what is not given stays as it is; `false`: taken away again by the
 * `--no-` form. Durations are milliseconds, variables `NAME=VALUE`.
 */
export type JobFields = {
  readonly [K in keyof FieldTable]?:
    | Given<FieldTable[K]>
    | (FieldTable[K] extends { without: string } ? false : never);
} & {
  /** Names of variables, secret or not, that are taken away. */
  readonly unsetEnv?: readonly string[];
};
