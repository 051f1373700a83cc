import { sessionLockId } from '../../domain/run/stripes.ts';
import { writeAudit } from '../audit/writeAudit.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { resetSlots } from '../lifecycle/resetSlots.ts';
import { instantMs, integer, only, rowOf, text } from '../rows/row.ts';
import { bumpSessionsVersion } from '../targeting/versions.ts';
import { nodeMissing } from './nodeMissing.ts';

/** A node that is kept from new work: since when, by whom and why. */
interface NodeHold {
  readonly sinceMs: number;
  readonly by: string;
  readonly note: string;
}

/** What a node that was cordoned, drained or uncordoned has now. */
export interface HeldNode {
  readonly nodeName: string;
  /** Null: it takes work again. */
  readonly cordon: NodeHold | null;
  readonly isChanged: boolean;
  readonly isLive: boolean;
  /** Prepared launches that it gave back. */
  readonly withdrawn: number;
  readonly prepared: number;
  readonly executing: number;
}

/**
 * Keeps a node from new work until `uncordonNode`: it claims nothing, also after a restart, and its
 * level holds nobody back. What it has claimed goes on. A repeat keeps the first hold, with a new
 * note where one is given.
 * @throws OperatorError `node_missing`, and what `settleOutcome` throws.
 */
export async function cordonNode(
  channel: Channel,
  nodeName: string,
  note: string | null = null,
): Promise<HeldNode> {
  const change = { name: 'cordonNode', action: 'node.cordon' };
  return holdNode(channel, nodeName, change, (connection, before) =>
    hold(connection, nodeName, before, note),
  );
}

/**
 * The same, and gives the launches that it has prepared back to others; what executes goes on.
 * @throws OperatorError `node_missing`, and what `settleOutcome` throws.
 */
export async function drainNode(
  channel: Channel,
  nodeName: string,
  note: string | null = null,
): Promise<HeldNode> {
  const { isChanged } = await holdNode(
    channel,
    nodeName,
    { name: 'drainNode', action: 'node.drain' },
    (connection, before) => hold(connection, nodeName, before, note),
  );
  const withdrawn = await withdrawPrepared(channel, nodeName);
  return { ...(await readHeld(channel, nodeName)), isChanged, withdrawn };
}

/**
 * Lets a node take work again.
 * @throws OperatorError `node_missing`, and what `settleOutcome` throws.
 */
export async function uncordonNode(channel: Channel, nodeName: string): Promise<HeldNode> {
  const change = { name: 'uncordonNode', action: 'node.uncordon' };
  return holdNode(channel, nodeName, change, async (connection, before) => {
    if (before === null) return false;
    await connection.change(liftHold, [nodeName]);
    return true;
  });
}

async function hold(
  connection: ChannelConnection,
  nodeName: string,
  before: NodeHold | null,
  note: string | null,
): Promise<boolean> {
  if (before !== null && (note === null || note === before.note)) return false;
  if (before !== null) await connection.change(writeNote, [note, nodeName]);
  else await connection.change(writeHold, [nodeName, connection.by?.actor ?? '', note ?? '']);
  return true;
}

/**
 * Writes what is to be, under the lock that sessions join under, and then the sessions' own rows by
 * a statement alone: so no heartbeat waits for a transaction. A repeat mends what was cut off.
 */
async function holdNode(
  channel: Channel,
  nodeName: string,
  { name, action }: { readonly name: string; readonly action: string },
  write: (connection: ChannelConnection, before: NodeHold | null) => Promise<boolean>,
): Promise<HeldNode> {
  const isChanged = await changeOnce<boolean>(channel, {
    ...{ name, lock: [sessionLockId], look: 'statecron cluster' },
    work: async (connection) => {
      const [before = null] = await connection.rows(nodeHold, selectHold, [nodeName]);
      const [known] = await connection.rows(only(integer), selectKnown, [nodeName]);
      if (before === null && known === undefined) return { refuse: 'node_missing' };
      if (!(await write(connection, before))) return { commit: false };
      const [after = null] = await connection.rows(nodeHold, selectHold, [nodeName]);
      const values = { before: audited(before), after: audited(after) };
      await writeAudit(connection, { action, target: nodeName, ...values });
      return { commit: true };
    },
    refused: () => nodeMissing(nodeName),
  });
  await channel.change(settleSessions, [nodeName]);
  await bumpSessionsVersion(channel);
  return { ...(await readHeld(channel, nodeName)), isChanged };
}

function audited(node: NodeHold | null) {
  if (node === null) return null;
  const { sinceMs, ...same } = node;
  return { since: new Date(sinceMs).toISOString(), ...same };
}

/** Stripe by stripe, each its own transaction, so that nobody waits for the whole. */
async function withdrawPrepared(channel: Channel, nodeName: string): Promise<number> {
  let withdrawn = 0;
  for (const stripe of await channel.rows(only(integer), selectStripes, [nodeName])) {
    withdrawn += await changeOnce<number>(channel, {
      ...{ name: 'drainNode withdraw', lock: [stripe], look: 'statecron cluster' },
      work: async (connection) => {
        const launches = await connection.rows(launch, selectPrepared, [nodeName, stripe]);
        const requests = launches.map((each) => {
          return { kind: 'reset', why: 'draining', ...each, stripe } as const;
        });
        const [first] = launches;
        if (first !== undefined) await resetSlots(connection, first.sessionId, requests);
        return { commit: launches.length };
      },
    });
  }
  return withdrawn;
}

async function readHeld(channel: Channel, nodeName: string): Promise<HeldNode> {
  const [cordon = null] = await channel.rows(nodeHold, selectHold, [nodeName]);
  const [held] = await channel.rows(heldSlots, countHeld, [nodeName]);
  const { isLive, prepared, executing } = held ?? { isLive: 0, prepared: 0, executing: 0 };
  const now = { isLive: isLive > 0, prepared, executing };
  return { nodeName, cordon, isChanged: false, withdrawn: 0, ...now };
}

const nodeHold = rowOf({ sinceMs: instantMs, by: text, note: text });
const selectHold = `/* readHold */ SELECT held_since AS since, held_by AS 'by', hold_note AS note
  FROM node_hold WHERE node_name = ? AND held_until IS NULL`;
const selectKnown = `/* holdNode known */ SELECT 1 FROM session WHERE node_name = ? LIMIT 1`;
const writeHold = `/* holdNode */ INSERT INTO node_hold (node_name, held_since, held_by, hold_note)
  VALUES (?, NOW(3), ?, ?) ON DUPLICATE KEY UPDATE held_since = VALUES(held_since),
    held_until = NULL, held_by = VALUES(held_by), hold_note = VALUES(hold_note)`;
const writeNote = `/* holdNode note */ UPDATE node_hold SET hold_note = ? WHERE node_name = ?`;
const liftHold = `/* liftHold */ UPDATE node_hold SET held_until = NOW(3)
  WHERE node_name = ? AND held_until IS NULL`;
/** Whatever the order in which two of them run, the last hold is what the session has. */
const settleSessions = `/* holdNode sessions */ UPDATE session
    LEFT JOIN node_hold ON node_hold.node_name = session.node_name AND held_until IS NULL
  SET draining = held_since IS NOT NULL, cordoned = held_since IS NOT NULL
  WHERE session.node_name = ? AND state = 'live' AND draining = cordoned`;
const launch = rowOf({ slotId: integer, launchId: text, sessionId: text });
const ofLiveNode = `FROM session JOIN slot FORCE INDEX (slot_by_session)
    ON slot.session_id = session.session_id
  WHERE session.node_name = ? AND session.state = 'live'`;
const selectStripes = `/* drainNode stripes */ SELECT DISTINCT slot.stripe ${ofLiveNode}
    AND slot.state = 'prepare' ORDER BY slot.stripe`;
const selectPrepared = `/* drainNode read */ SELECT slot.slot_id, slot.launch_id, slot.session_id
  ${ofLiveNode} AND slot.state = 'prepare' AND slot.stripe = ?`;
const heldSlots = rowOf({ isLive: integer, prepared: integer, executing: integer });
const countHeld = `/* readHeldNode */ SELECT COUNT(*) AS is_live,
    CAST(COUNT(IF(slot.state = 'prepare', 1, NULL)) AS SIGNED) AS prepared,
    CAST(COUNT(IF(slot.state = 'executing', 1, NULL)) AS SIGNED) AS executing
  FROM session LEFT JOIN slot FORCE INDEX (slot_by_session)
    ON slot.session_id = session.session_id
  WHERE session.node_name = ? AND session.state = 'live'`;
