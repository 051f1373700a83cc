/** What jobs with a user need of a node; null: none of them has one. */
export function startsAsUser(jobs: Iterable<{ readonly user?: string }>): string | null {
  const users = [...new Set([...jobs].flatMap(({ user }) => user ?? []))].sort();
  if (users.length === 0) return null;
  const flags = users.map((user) => `--allow-user ${user}`).join(' ');
  return (
    `jobs of ${users.join(', ')} start only on nodes that run as root with ${flags}; elsewhere ` +
    'their runs fail. See: statecron docs production'
  );
}
