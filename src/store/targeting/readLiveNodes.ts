import type { NodeFacts } from '../../domain/targeting/nodeFacts.ts';
import type { LiveNode } from '../../domain/targeting/takeable.ts';
import type { Row } from '../channel.ts';
import type { Queryable } from '../queryable.ts';

interface LiveNodes {
  readonly nodes: readonly LiveNode[];
  /** Of groups, targets and every-node jobs, see `bumpTargetingVersion`; 0: nobody is live. */
  readonly version: number;
}

/**
 * The sessions that are live by the database's clock, and which targeting is in force: what a claim
 * has to know of others, in one plain statement, so that no heartbeat ever waits for it. The given
 * session counts as long as nobody has ended it.
 */
export async function readLiveNodes(asker: Queryable, sessionId = ''): Promise<LiveNodes> {
  const rows = await asker.query<Row[]>(selectLive, [sessionId]);
  return { nodes: rows.map(liveNodeOf), version: Number(rows[0]?.targeting_version ?? 0) };
}

/** What a node that is away was when it was there last; null: it never was. */
export async function readLastFacts(asker: Queryable, nodeName: string): Promise<NodeFacts | null> {
  const [row] = await asker.query<Row[]>(selectLast, [nodeName]);
  return row === undefined ? null : liveNodeOf(row);
}

/** The facts that a row of the table `session` tells. */
export function liveNodeOf(row: Row): LiveNode {
  return {
    sessionId: row.session_id as string,
    nodeName: row.node_name as string,
    ...factsOf(row),
  };
}

export function factsOf(row: Row): Omit<NodeFacts, 'nodeName'> {
  return {
    level: row.level as number,
    labels: JSON.parse(row.labels as string) as string[],
    definitionFormat: row.definition_format as number,
    isDraining: row.draining === 1,
  };
}

const columns = 'session_id, node_name, level, labels, definition_format, draining';
const selectLive = `/* readLiveNodes */ SELECT ${columns},
    (SELECT version FROM targeting_version WHERE version_id = 1) AS targeting_version
  FROM session WHERE reaped_at IS NULL AND state = 'live'
    AND (session_id = ? OR renewed_at + INTERVAL ttl_ms * 1000 MICROSECOND >= NOW(3))`;
const selectLast = `/* readLastFacts */ SELECT ${columns} FROM session
  WHERE node_name = ? ORDER BY started_at DESC LIMIT 1`;
