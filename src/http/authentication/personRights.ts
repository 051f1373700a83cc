import { roles } from '../../domain/access/role.ts';
import type { TokenHolder } from '../../store/tokens/findHolder.ts';
import { refusal } from '../problems/refusals.ts';
import type { PeopleSettings } from '../server/proxySettings.ts';
import type { NamedPerson } from './client.ts';

const nameCharactersMax = 128;

/**
 * What somebody may do whom a proxy names. What more than one could have written is not read: a
 * proxy that passes on what its client sent, and adds its own, gives two lines or two names.
 * @throws OperatorError `person_forbidden`.
 */
export function holderOfPerson(
  { groupLists, names }: NamedPerson,
  { defaultRole, groupsHeader, rights, userHeader }: PeopleSettings,
): TokenHolder {
  const [nameLine = '', ...otherNames] = names;
  const [groupLine = '', ...otherGroups] = groupLists;
  if (otherNames.length > 0) throw forbidden(`more than one header ${userHeader} came`);
  if (otherGroups.length > 0) throw forbidden(`more than one header ${groupsHeader} came`);
  const name = readName(nameLine);
  if (name === null) throw forbidden(`the header ${userHeader} has no single name in it`);
  const memberOf = new Set(
    decoded(groupLine)
      ?.split(',')
      .map((group) => group.trim()),
  );
  const own = rights.filter((right) =>
    right.of === 'user' ? right.name === name : memberOf.has(right.name),
  );
  const role = roles.findLast((each) => own.some((right) => right.role === each)) ?? defaultRole;
  if (role === null) throw forbidden(`${JSON.stringify(name)} has no role here`);
  const groups = own.filter((right) => right.role === role).map((right) => right.groups);
  const isOfAll = groups.length === 0 || groups.includes(null);
  const some = [...new Set(groups.flatMap((each) => each ?? []))];
  return { tokenId: `person ${name}`, name, role, groups: isOfAll ? null : some };
}

/** As it is shown everywhere; null: it cannot be one person's. */
function readName(line: string): string | null {
  const name = decoded(line)?.trim() ?? '';
  const isLong = [...name].length > nameCharactersMax;
  // Apache writes (null) of nobody.
  const isNone = name === '' || name === '(null)';
  return isNone || isLong || /[,\p{Cc}\p{Cs}\u2028\u2029]/u.test(name) ? null : name;
}

/** Headers are bytes, which Node reads as Latin-1; null: they are no UTF-8. */
function decoded(line: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(line, 'latin1'));
  } catch {
    return null;
  }
}

function forbidden(why: string) {
  return refusal('person_forbidden', `The proxy lets in somebody whom this node does not: ${why}.`);
}
