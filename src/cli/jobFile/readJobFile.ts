import { type JobFile, readYamlFile } from '../../domain/jobFile/readYamlFile.ts';
import { chooseFormat } from './importAction.ts';
import { wantedCrontab } from './wantedCrontab.ts';

/** How `apply` reads its file. */
export interface FileOptions {
  readonly group?: string;
  readonly format?: 'yaml' | 'crontab';
  readonly system?: boolean;
  readonly timezone?: string;
}

/** Reads the text of a file as YAML or as a crontab, as asked for or as it looks. */
export function readJobFile(
  file: string,
  text: string,
  options: FileOptions,
  nowMs: number,
): JobFile {
  const format = options.format ?? (looksLikeYaml(file, text) ? 'yaml' : 'crontab');
  return format === 'yaml'
    ? readYamlFile(text, options, nowMs)
    : readCrontabFile(file, text, options, nowMs);
}

function looksLikeYaml(file: string, text: string): boolean {
  return /\.ya?ml$/i.test(file) || /^(jobs|group)[ \t]*:/m.test(text) || /^---\s*$/m.test(text);
}

function readCrontabFile(file: string, text: string, options: FileOptions, nowMs: number): JobFile {
  const { format } = chooseFormat(file, text, options);
  const timezone = options.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const group = options.group ?? 'default';
  const { jobs, faults } = wantedCrontab(text, { format, timezone, group }, nowMs);
  const names = jobs.map(({ name }) => name);
  return { format: 'crontab', names, group, faults, make: () => [...jobs] };
}
