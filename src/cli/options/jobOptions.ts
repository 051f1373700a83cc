import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PauseFields } from '../../domain/job/edit/jobPause.ts';
import { jobFields, pauseFields } from '../../domain/job/fields.ts';
import type { Field } from '../../domain/job/fieldTable/field.ts';
import type { JobFields } from '../../domain/job/jobPolicies.ts';
import { readerOf } from '../../domain/job/readField.ts';
import type { ClusterOptions } from './clusterOptions.ts';
import { asArgument, collect } from './readOptions.ts';

export type JobOptions = ClusterOptions & JobFields & PauseFields;

/** Adds the flags of `job add`; for `job edit` also those that take something away again. */
export function addJobOptions(command: Command, isEdit = false): Command {
  for (const field of jobFields) {
    command.addOption(isEdit ? editOptionOf(field) : optionOf(field));
    // A switch's other side is a choice, not an absence: a new job may make it, too.
    if (field.without === undefined || !(isEdit || field.kind === 'switch')) continue;
    const negated = new Option(`--no-${field.flag}`, field.without).helpGroup(field.heading);
    command.addOption(isEdit ? negated : negated.hideHelp());
  }
  if (!isEdit) for (const field of pauseFields) command.addOption(optionOf(field));
  return command;
}

/** A list of nothing is a list that is taken away, which another flag says. */
function editOptionOf(field: Field): Option {
  const option = optionOf(field);
  const away = `no-${field.flag}`;
  if (field.kind !== 'list' || field.without === undefined) return option;
  return option.argParser((text: string, before: string[] | undefined) => {
    if (text !== '') return collect(text, before);
    throw new InvalidArgumentError(`It names nothing; --${away} takes it away.`);
  });
}

function optionOf(field: Field): Option {
  const value = field.kind === 'switch' ? '' : ` <${field.value}>`;
  const option = new Option(`--${field.flag}${value}`, field.help).helpGroup(field.heading);
  if (field.kind === 'choice') return option.choices(Object.keys(field.choices));
  // Completion knows by this that the flag may be given again.
  if (field.kind === 'list' || field.kind === 'variables') return option.argParser(collect);
  const read = readerOf(field);
  return read === null ? option : option.argParser<unknown>(asArgument(read));
}
