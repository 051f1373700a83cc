import { stringify } from 'yaml';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import { wordsOfDefinition } from '../../domain/words/wordsOfDefinition.ts';

/**
 * A file of jobs that `apply` reads as the same definitions. With a group it stands once at the
 * top, else in each job that has one.
 */
export function writeYamlJobs(definitions: readonly JobDefinition[], group: string | null): string {
  const jobs = definitions.map((definition) => {
    const words = wordsOfDefinition(definition);
    if (group !== null) words.delete('group');
    return [definition.name, Object.fromEntries(words)] as const;
  });
  // A map keeps the order of names that are numbers, which an object would not.
  const content = new Map<string, unknown>([
    ...(group === null ? [] : [['group', group] as const]),
    ['jobs', new Map(jobs)],
  ]);
  return stringify(content, { lineWidth: 0, aliasDuplicateObjects: false });
}
