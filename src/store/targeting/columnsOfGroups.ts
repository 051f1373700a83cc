/** No group has a name with a control character. */
const noGroup = '\u0001';

/**
 * What the column of groups has of jobs of these groups, for an `IN (?)`: nothing of those that
 * name none, which are in `default`. Of no groups it is what no row has, as no list may be empty.
 */
export function columnsOfGroups(groups: readonly string[]): readonly string[] {
  if (groups.length === 0) return [noGroup];
  return groups.map((group) => (group === 'default' ? '' : group));
}
