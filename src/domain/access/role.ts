/** What a caller may do: see; see and change jobs and runs; everything, tokens included. */
export type Role = (typeof roles)[number];

export const roles = ['viewer', 'operator', 'admin'] as const;

/** Whether a role may do what another one may. */
export function isRoleEnough(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
