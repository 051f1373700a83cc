import os from 'node:os';
import type { RowDataPacket } from 'mysql2/promise';
import { readProcess } from '../../../src/exec/process/processTree.ts';
import { withConnection } from './clusterMark.ts';
import { refusal } from './refusal.ts';

/** A live node of this host. */
export interface FoundNode {
  readonly name: string;
  readonly guardianPid: number;
  readonly ttlMs: number;
}

/**
 * The live nodes of a cluster, all of which have to be on this host and the caller's to signal.
 * @throws OperatorError (78) that says which are not
 */
export async function findNodes(url: string): Promise<FoundNode[]> {
  const rows = await withConnection(url, async (connection) => {
    const [live] = await connection.query<RowDataPacket[]>(selectLive);
    return live;
  });
  if (rows.length === 0) {
    throw refusal('no_nodes', 'No node of this cluster is live.', 'Start some on this host first.');
  }
  const elsewhere = rows.filter(({ host }) => host !== os.hostname());
  if (elsewhere.length > 0) {
    const names = elsewhere.map(({ host, name }) => `${name} (${host})`).join(', ');
    throw refusal(
      'nodes_elsewhere',
      `Nodes on other hosts are live: ${names}.`,
      'What their jobs do cannot be seen from here: end them for the run.',
    );
  }
  const foreign = rows.filter(({ guardian }) => guardian === null || !isOurs(Number(guardian)));
  if (foreign.length > 0) {
    const names = foreign.map(({ name }) => name).join(', ');
    throw refusal(
      'nodes_not_ours',
      `These nodes cannot be signalled: ${names}.`,
      'Run this as their user, or as root, in their PID namespace.',
    );
  }
  return rows.map(({ guardian, name, ttl }) => {
    return { name, guardianPid: Number(guardian), ttlMs: Number(ttl) };
  });
}

function isOurs(pid: number): boolean {
  try {
    return readProcess(pid) !== null && process.kill(pid, 0);
  } catch {
    return false; // EPERM
  }
}

const selectLive = `SELECT node_name AS name, guardian_process_id AS guardian, host, ttl_ms AS ttl
  FROM session WHERE state = 'live' ORDER BY node_name`;
