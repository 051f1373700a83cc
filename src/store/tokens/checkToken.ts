import type { FieldFault } from '../../domain/errors/errors.ts';
import { checkGroupName } from '../../domain/job/fieldTable/checkNames.ts';
import { tokenBounds } from './addToken.ts';

/** Everything that is wrong with what a token shall be. */
export function checkToken(request: {
  readonly name: string;
  readonly groups: readonly string[] | null;
}): FieldFault[] {
  const { name, groups } = request;
  const faults: FieldFault[] = [];
  const { groupsMax, nameCharactersMax } = tokenBounds;
  if (name === '' || [...name].length > nameCharactersMax || /[\p{Cc}\p{Cs}]/u.test(name)) {
    const message = `1 to ${nameCharactersMax} characters, no control characters`;
    faults.push({ field: 'name', message });
  }
  if (groups === null) return faults;
  if (groups.length === 0 || groups.length > groupsMax) {
    faults.push({ field: 'groups', message: `1 to ${groupsMax} groups, or none at all` });
  }
  for (const [place, group] of groups.entries()) {
    const message = checkGroupName(group);
    if (message !== null) faults.push({ field: `groups.${place}`, message });
  }
  return faults;
}
