import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import type { EngineMember, FaultEngine } from '../engines/faultEngine.ts';
import { runStatements } from '../engines/runStatements.ts';

const statementMsMax = 20_000;

/** The database of a cluster that a run did not start: it is read and locked, and not broken. */
export async function attachedEngine(url: string): Promise<FaultEngine> {
  const query = (...statements: string[]) =>
    runStatements({ uri: url }, statements, statementMsMax);
  const [row] = await query('SELECT VERSION() AS version, @@port AS port');
  const version = String(row?.version);
  const isMariadb = version.includes('MariaDB');
  const refuse = (): never => {
    throw new Error('the database server is not of this run');
  };
  const member: EngineMember = {
    name: 'database',
    port: Number(row?.port),
    state: () =>
      query('DO 0').then(
        () => 'running',
        () => 'dead',
      ),
    adminUrl: () => url,
    userUrl: () => url,
    query,
    isWritable: async () => {
      const isWritable = await query('SELECT @@read_only = 0 AS isWritable').catch(() => []);
      return isWritable[0]?.isWritable === 1;
    },
    ...{ kill: refuse, start: refuse, restart: refuse, stop: refuse, cont: refuse },
    ...{ isolate: refuse, rejoin: refuse, stepClock: refuse },
  };
  return {
    name: isMariadb ? 'mariadb' : 'mysql',
    version: `${isMariadb ? 'MariaDB' : 'MySQL'} ${version.split('-')[0]}`,
    members: [member],
    can: { stepClock: false, isolate: false },
    failoverMsMax: 0,
    createDatabase: async () => String(readDatabaseUrl(url).options.database),
    writable: async () => ((await member.isWritable()) ? [member] : []),
    heal: async () => undefined,
    close: async () => undefined,
  };
}
