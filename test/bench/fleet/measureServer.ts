import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sumCounts, whereCounts } from '../../support/serverCounts.ts';
import type { BenchDatabase, BenchServer } from '../benchServer.ts';
import { cpuMs } from '../cpuMs.ts';
import { short } from '../percentile.ts';

const kindsShown = 12;
/** The log of statements takes time of its own: it is on for so long, after the other figures. */
const logSecondsMax = 10;

/**
 * What so many nodes have of their server for a while, by its own counts. Where the machine is busy
 * all the time they would have more of one that is not.
 */
export async function measureServer(
  server: BenchServer,
  database: BenchDatabase,
  nodes: number,
  seconds: number,
) {
  const look = async () => ({
    ...sumCounts(await database.query(`SHOW GLOBAL STATUS ${whereCounts}`)),
    ms: performance.now(),
    serverMs: cpuMs(server.pid),
    idleMs: cpus().reduce((sum, { times }) => sum + times.idle, 0) / cpus().length,
  });
  const before = await look();
  await sleep(seconds * 1_000);
  const after = await look();
  const elapsedMs = after.ms - before.ms;
  const perSecond = (count: number) => count / (elapsedMs / 1_000);
  // The count itself is one statement of ours, and a dozen rows.
  const statements = perSecond(after.statements - before.statements - 1);
  const connections = await countConnections(database);
  return {
    statementsPerSecond: short(statements),
    statementsPerSecondAndNode: short(statements / nodes),
    rowsReadPerSecond: short(perSecond(after.rows - before.rows)),
    connections,
    connectionsPerNode: short(connections / nodes),
    serverPercentOfCore: short(((after.serverMs - before.serverMs) / elapsedMs) * 100),
    machineIdlePercent: short(((after.idleMs - before.idleMs) / elapsedMs) * 100),
    kindsPerSecond: await countKinds(database, Math.min(seconds, logSecondsMax)),
  };
}

async function countConnections({ query }: BenchDatabase): Promise<number> {
  const [row] = await query(
    `SELECT COUNT(*) AS connections FROM information_schema.processlist
     WHERE db = DATABASE() AND id <> CONNECTION_ID()`,
  );
  return Number(row?.connections);
}

/** The most frequent statements by their names, those that begin and end transactions too. */
async function countKinds({ query }: BenchDatabase, seconds: number) {
  await query("SET GLOBAL log_output = 'TABLE'");
  await query('TRUNCATE mysql.general_log');
  await query('SET GLOBAL general_log = ON');
  await sleep(seconds * 1_000);
  await query('SET GLOBAL general_log = OFF');
  const rows = await query(selectKinds, [kindsShown]);
  return Object.fromEntries(rows.map((row) => [row.kind, short(Number(row.logged) / seconds)]));
}

/** The bench's own have no name. */
const selectKinds = `SELECT COUNT(*) AS logged,
    TRIM('/* ' FROM SUBSTRING_INDEX(CONVERT(argument USING utf8mb4), ' */', 1)) AS kind
  FROM mysql.general_log
  WHERE command_type IN ('Query', 'Execute') AND CONVERT(argument USING utf8mb4) LIKE '/* %'
  GROUP BY kind ORDER BY logged DESC LIMIT ?`;
