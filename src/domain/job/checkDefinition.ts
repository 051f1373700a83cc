import { checkFields, type DefinitionFault } from './checkFields.ts';
import { checkTogether } from './checkTogether.ts';
import { checkText } from './fieldTable/checkNames.ts';
import type { JobDefinition } from './jobDefinition.ts';

/** So wide is the column of a job's name. */
export const nameCharactersMax = 191;

/**
 * Everything that is wrong with a definition but its schedule, which `checkSchedule` reads. What
 * only the node can tell (a missing folder, a command too long for its kernel) is left to the run's
 * row.
 */
export function checkDefinition(definition: JobDefinition): DefinitionFault[] {
  const message = checkName(definition.name);
  return [
    ...(message === null ? [] : [{ field: 'name', message }]),
    ...checkFields(definition, 'writer'),
    ...checkTogether(definition, 'writer'),
  ];
}

/** What is wrong with a job's name, or null. */
function checkName(name: string): string | null {
  const characters = [...name].length;
  if (characters === 0) return 'is empty';
  if (characters > nameCharactersMax) {
    return `has ${characters} characters; ${nameCharactersMax} are allowed`;
  }
  if (name.trim() !== name) return 'begins or ends with a blank';
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return 'has a control character in it';
  return checkText(name);
}
