import type { LiveNode, NodeFacts } from '../../domain/targeting/nodeFacts.ts';
import type { Queryable } from '../connection/queryable.ts';
import { each, flag, integer, jsonOf, nullable, rowOf, text } from '../rows/row.ts';
import { targetingVersion } from './versions.ts';

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
export async function readLiveNodes(database: Queryable, sessionId = ''): Promise<LiveNodes> {
  const nodes = await database.rows(liveNode, selectLive, [sessionId]);
  return { nodes, version: nodes[0]?.targetingVersion ?? 0 };
}

/**
 * The same live sessions for who keeps them until their version is another: `hasLapsed` says that
 * some have not been ended but have not been renewed either, and may be live again at any time.
 */
export async function readOpenNodes(
  database: Queryable,
  sessionId: string,
): Promise<{ readonly nodes: LiveNode[]; readonly hasLapsed: boolean }> {
  const open = await database.rows(openNode, selectOpen, [sessionId]);
  const nodes = open.filter(({ isLapsed }) => !isLapsed);
  return { nodes, hasLapsed: nodes.length < open.length };
}

/** What a node that is away was when it was there last; null: it never was. */
export async function readLastFacts(
  database: Queryable,
  nodeName: string,
): Promise<NodeFacts | null> {
  const [facts] = await database.rows(rowOf(nodeColumns), selectLast, [nodeName]);
  return facts ?? null;
}

/** What a row of the table `session` says of its node. */
export const nodeColumns = {
  ...each(text, 'sessionId', 'nodeName'),
  ...each(integer, 'level', 'definitionFormat'),
  labels: jsonOf<string[]>(),
  ...each(flag, 'isDraining', 'isCordoned'),
  users: nullable(jsonOf<string[]>()),
};
export const selectNode = `session.session_id, session.node_name, session.level, session.labels,
    session.definition_format, session.draining AS is_draining,
    session.cordoned AS is_cordoned, session.users`;
const liveNode = rowOf({ ...nodeColumns, targetingVersion: nullable(integer) });
const selectLive = `/* readLiveNodes */ SELECT ${selectNode},
    ${targetingVersion} AS targeting_version
  FROM session WHERE reaped_at IS NULL AND state = 'live'
    AND (session_id = ? OR renewed_at + INTERVAL ttl_ms * 1000 MICROSECOND >= NOW(3))`;
const openNode = rowOf({ ...nodeColumns, isLapsed: flag });
const selectOpen = `/* readOpenNodes */ SELECT ${selectNode},
    session_id <> ? AND renewed_at + INTERVAL ttl_ms * 1000 MICROSECOND < NOW(3) AS is_lapsed
  FROM session WHERE reaped_at IS NULL AND state = 'live'`;
const selectLast = `/* readLastFacts */ SELECT ${selectNode} FROM session
  WHERE node_name = ? ORDER BY started_at DESC LIMIT 1`;
