import type { EngineMember } from './faultEngine.ts';

/** The URL of an ordinary user that names several members, to be tried in this order. */
export function clusterUrl(members: readonly EngineMember[], database: string): string {
  const [first] = members;
  if (first === undefined) throw new Error('a cluster has members');
  const own = new URL(first.userUrl(database));
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return own.href.replace(own.host, hosts);
}
