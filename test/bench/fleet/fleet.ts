import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  type BenchServer,
  withServer,
} from '../benchServer.ts';
import { cpuMs } from '../cpuMs.ts';
import { median, short } from '../percentile.ts';
import { startWholeNode, type WholeNode } from '../startWholeNode.ts';
import { measureServer } from './measureServer.ts';
import { measureShares } from './measureShares.ts';
import { startMore } from './startMore.ts';
import { weighNodes } from './weighNodes.ts';

const defaultNodes = 80;
/** One more than there are stripes: whole stripes would not go round. */
const sharingNodesMax = 65;
const stepsBelow = [10, 40];
/** Joining, and the first look at everything, are no idling. */
const settleMs = { whole: 15_000, small: 2_000 } as const;
/** The private server lets 500 in, which is fewer than more than a hundred nodes open. */
const connectionsMax = 5_000;

/**
 * Many nodes on one server: what they take of it while they idle, step by step, and how they share
 * jobs that are due all the time. Those that idle are whole nodes, as an operator starts them;
 * those that share have no guardian, and their jobs no processes.
 */
export function fleet(options: BenchOptions): Promise<BenchResult> {
  const nodes = options.nodes ?? defaultNodes;
  return withServer(options.say, async (server) => {
    const complaints: string[] = [];
    const database = await server.makeDatabase('idle');
    await database.query('SET GLOBAL max_connections = ?', [connectionsMax]);
    const steps: unknown[] = [];
    const running: WholeNode[] = [];
    try {
      for (const count of [...stepsBelow.filter((each) => each < nodes), nodes]) {
        options.say(`starting up to ${count} nodes`);
        await startMore(running, count, (name) => startWholeNode(server, database, name));
        const step = await measureIdle(server, database, count, options);
        options.say(JSON.stringify(step));
        steps.push(step);
        complaints.push(...(await complainOfSessions(database, count)));
      }
    } finally {
      await Promise.all(running.map((node) => node.stop()));
    }
    const sharing = Math.min(nodes, sharingNodesMax);
    const shares = await measureShares(server, sharing, options);
    return {
      figures: { idle: steps, sharing: shares.figures },
      complaints: [...complaints, ...shares.complaints],
    };
  });
}

async function measureIdle(
  server: BenchServer,
  database: BenchDatabase,
  nodes: number,
  { isSmall, say, seconds }: BenchOptions,
) {
  await sleep(isSmall ? settleMs.small : settleMs.whole);
  say(`measuring ${nodes} idle nodes for ${seconds} s`);
  const [beganMs, before] = [performance.now(), await readCpu(database)];
  const figures = await measureServer(server, database, nodes, seconds);
  const [elapsedMs, after] = [performance.now() - beganMs, await readCpu(database)];
  const tookMs = [...after].map(([pid, ms]) => ms - (before.get(pid) ?? 0));
  return {
    nodes,
    ...figures,
    nodePercentOfCore: short((median(tookMs) / elapsedMs) * 100),
    pssMb: weighNodes(await database.query(selectProcesses)),
  };
}

/** Of the node processes, by their ids. */
async function readCpu({ query }: BenchDatabase): Promise<Map<number, number>> {
  const sessions = await query(selectProcesses);
  return new Map(sessions.map(({ process_id: pid }) => [pid, cpuMs(pid)]));
}

/** Each node has the one session that it began with: none was lost meanwhile. */
async function complainOfSessions({ query }: BenchDatabase, count: number): Promise<string[]> {
  const rows = await query('SELECT state, COUNT(*) AS sessions FROM session GROUP BY state');
  const isGood = rows.length === 1 && rows[0]?.state === 'live' && rows[0].sessions === count;
  return isGood ? [] : [`sessions of ${count} nodes: ${JSON.stringify(rows)}`];
}

const selectProcesses =
  "SELECT process_id, guardian_process_id FROM session WHERE state = 'live' ORDER BY node_name";
