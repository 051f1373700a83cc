/** Which of the two families a database server belongs to; their data folders never mix. */
export type Flavour = 'mariadb' | 'mysql';

/** What a server reports as its version, e.g. MariaDB 10.11.19. */
export interface ServerVersion {
  flavour: Flavour;
  /** `major.minor.patch` without the distribution's suffix. */
  version: string;
}

/**
 * Reads what `mariadbd --version`, `mysqld --version` or `SELECT VERSION()` print; undefined when
 * there is no version in it. On Debian `mysqld` is a link to `mariadbd`. Forks of MySQL (Percona
 * Server) count as MySQL.
 */
export function parseServerVersion(text: string): ServerVersion | undefined {
  // Old MariaDB greets clients as 5.5.5-10.3.1-MariaDB so that old replicas accept it.
  const match = /(?:^|\s)(?:5\.5\.5-)?(\d+\.\d+\.\d+)/.exec(text);
  const version = match?.[1];
  if (version === undefined) return undefined;
  return { flavour: /mariadb/i.test(text) ? 'mariadb' : 'mysql', version };
}

/** The oldest servers with SKIP LOCKED, without which nodes would queue for every lock. */
export const oldestSupported = { mariadb: '10.6.0', mysql: '8.0.1' } as const;

/** Whether the server is new enough for statecron. */
export function isSupported(server: ServerVersion): boolean {
  return compareVersions(server.version, oldestSupported[server.flavour]) >= 0;
}

/**
 * Whether `found` may not open a data folder that `made` wrote last: patch releases of one series
 * (major.minor) read each other's files, older series do not read newer ones.
 */
export function isOlderSeries(found: string, made: string): boolean {
  const series = (version: string) => version.split('.').slice(0, 2).join('.');
  return compareVersions(series(found), series(made)) < 0;
}

/** Negative, zero or positive, as `a` is older than, equal to or newer than `b`. */
function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** For people: `MariaDB 10.11.19`. */
export function describeVersion(server: ServerVersion): string {
  return `${server.flavour === 'mariadb' ? 'MariaDB' : 'MySQL'} ${server.version}`;
}
