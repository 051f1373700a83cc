import { type Command, Option } from 'commander';
import type { JobDefinition } from '../domain/jobDefinition.ts';
import type { JobPolicies, RetryPolicy } from '../domain/jobPolicies.ts';
import type { DatabaseOptions } from './databaseOptions.ts';
import { type JobFlag, jobFlags } from './jobFlags.ts';
import { collect, readBytes, readChoices, readDurationMs, readNumber } from './readOptions.ts';

/** The words that say what a job is; `false`: taken away again by the `--no-` form. */
export interface JobWords {
  readonly cron?: readonly string[];
  readonly command?: string;
  readonly timezone?: string;
  readonly timeout?: number | false;
  readonly env?: readonly string[];
  readonly unsetEnv?: readonly string[];
  readonly cwd?: string | false;
  readonly stdin?: string | false;
  readonly grace?: number;
  readonly outputMax?: number;
  readonly leftovers?: JobDefinition['leftovers'];
  readonly onFence?: 'kill' | 'finish';
  readonly dialect?: 'unix' | 'quartz';
  readonly dstGap?: NonNullable<JobPolicies['gap']> | false;
  readonly dstFold?: NonNullable<JobPolicies['fold']> | false;
  readonly notBefore?: string | false;
  readonly notAfter?: string | false;
  readonly exclude?: readonly string[] | false;
  readonly splay?: number | false;
  readonly overlap?: NonNullable<JobPolicies['overlap']> | 'skip';
  readonly parallel?: number;
  readonly misfire?: NonNullable<JobPolicies['misfire']> | 'once';
  readonly catchUp?: number | false;
  readonly nodeLoss?: 'skip' | 'rerun';
  readonly retries?: number | false;
  readonly retryDelay?: number;
  readonly retryBackoff?: RetryPolicy['backoff'];
  readonly retryDelayMax?: number;
  readonly retryJitter?: boolean;
  readonly retryOn?: RetryPolicy['on'];
  readonly startDeadline?: number | false;
  readonly maxRuns?: number | false;
  readonly pauseAfterFailures?: number | false;
  readonly kind?: 'single' | 'every-node';
  readonly onNode?: readonly string[] | false;
  readonly onLabel?: readonly string[] | false;
  readonly onGroup?: readonly string[] | false;
  readonly notOnNode?: readonly string[] | false;
  readonly notOnLabel?: readonly string[] | false;
  readonly notOnGroup?: readonly string[] | false;
  readonly user?: string | false;
  readonly umask?: string | false;
  readonly nice?: number | false;
  readonly memoryMax?: number | false;
  /** Milliseconds, as every duration. */
  readonly cpuTimeMax?: number | false;
  readonly after?: readonly string[] | false;
  readonly group?: string | false;
  readonly tag?: readonly string[] | false;
  readonly keepDays?: number | false;
  readonly keepRuns?: number | false;
}

export interface JobOptions extends DatabaseOptions, JobWords {
  readonly json?: boolean;
}

/** Adds the flags of `job add`; for `job edit` also those that take something away again. */
export function addJobOptions(command: Command, isEdit = false): Command {
  for (const flag of jobFlags) {
    command.addOption(optionOf(flag));
    // A switch's other side is a choice, not an absence: a new job may make it, too.
    if (flag.without === undefined || !(isEdit || flag.kind === 'switch')) continue;
    const negated = new Option(`--no-${flag.flag}`, flag.without).helpGroup(flag.heading);
    command.addOption(isEdit ? negated : negated.hideHelp());
  }
  return command;
}

function optionOf(flag: JobFlag): Option {
  const value = flag.kind === 'switch' ? '' : ` <${flag.value}>`;
  const option = new Option(`--${flag.flag}${value}`, flag.text).helpGroup(flag.heading);
  if (flag.kind === 'choice') return option.choices(flag.choices);
  const read = readerOf(flag);
  return read === null ? option : option.argParser<unknown>(read);
}

/**
 * How one text of a flag is read, `before` being what a repeated one has collected; null: as it is.
 * @throws InvalidArgumentError that says what is allowed.
 */
export function readerOf(flag: JobFlag): ((text: string, before: unknown) => unknown) | null {
  if (flag.kind === 'list' || flag.kind === 'variables')
    return (text, before) => collect(text, before as string[]);
  if (flag.kind === 'duration') return readDurationMs;
  if (flag.kind === 'size') return readBytes;
  if (flag.kind === 'number') return readNumber(flag.least, flag.most);
  return flag.kind === 'choices' ? readChoices(flag.choices) : null;
}
