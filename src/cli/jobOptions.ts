import { type Command, Option } from 'commander';
import type { JobFlag } from '../domain/words/jobFlag.ts';
import { jobFlags } from '../domain/words/jobFlags.ts';
import type { JobWords, PauseWords } from '../domain/words/jobWords.ts';
import { pauseFlags } from '../domain/words/pauseFlags.ts';
import { readerOf } from '../domain/words/wordReaders.ts';
import type { ClusterOptions } from './clusterOptions.ts';
import { asArgument } from './readOptions.ts';

export interface JobOptions extends ClusterOptions, JobWords, PauseWords {
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
  if (!isEdit) for (const flag of pauseFlags) command.addOption(optionOf(flag));
  return command;
}

function optionOf(flag: JobFlag): Option {
  const value = flag.kind === 'switch' ? '' : ` <${flag.value}>`;
  const option = new Option(`--${flag.flag}${value}`, flag.text).helpGroup(flag.heading);
  if (flag.kind === 'choice') return option.choices(flag.choices);
  const read = readerOf(flag);
  return read === null ? option : option.argParser<unknown>(asArgument(read));
}
