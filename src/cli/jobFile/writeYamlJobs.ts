import { stringify } from 'yaml';
import { fieldsOfDefinition } from '../../domain/job/fieldsOfDefinition.ts';
import type { PresentJob } from '../../domain/jobFile/planApply.ts';

/**
 * A file of jobs that `apply` reads as the same definitions, paused where they are. With a group it
 * stands once at the top, else in each job that has one.
 */
export function writeYamlJobs(present: readonly PresentJob[], group: string | null): string {
  const jobs = present.map(({ definition, pause }) => {
    const words = fieldsOfDefinition(definition);
    if (group !== null) words.delete('group');
    const untilMs = pause?.untilMs ?? null;
    if (untilMs !== null) words.set('paused-until', new Date(untilMs).toISOString());
    else if (pause !== null) words.set('paused', true);
    return [definition.name, Object.fromEntries(words)] as const;
  });
  // A map keeps the order of names that are numbers, which an object would not.
  const content = new Map<string, unknown>([
    ...(group === null ? [] : [['group', group] as const]),
    ['jobs', new Map(jobs)],
  ]);
  return stringify(content, { lineWidth: 0, aliasDuplicateObjects: false });
}
