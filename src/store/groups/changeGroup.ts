import { OperatorError } from '../../domain/errors/errors.ts';
import { jobsCountedMax } from '../../domain/job/jobsCountedMax.ts';
import { allStripes } from '../../domain/run/stripes.ts';
import { hasPlace } from '../../domain/targeting/takeable.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { writeAudit } from '../audit/writeAudit.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { integer, jsonOf, only, rowOf } from '../rows/row.ts';
import { idsOf, putBackSlots } from '../slots/releaseSlots.ts';
import { nodeColumns, selectNode } from '../targeting/readLiveNodes.ts';
import { readTargeting } from '../targeting/targetingCache.ts';
import { bumpTargetingVersion } from '../targeting/versions.ts';
import { countUses } from './listGroups.ts';

interface GroupChanged {
  readonly group: string;
  /** Sorted; empty when the group was removed. */
  readonly nodes: readonly string[];
  /** False: there was nothing to change. */
  readonly isChanged: boolean;
  /** Prepared launches whose node may not run them any more: another takes their ticks. */
  readonly withdrawn: number;
}

/** Given the members in force, null when there is no such group; null removes it. */
export type DecideMembers = (members: readonly string[] | null) => readonly string[] | null;

export const groupBounds = { groupsMax: 1_000, nodesMax: 1_000 } as const;

/**
 * Changes a group of nodes; the jobs that name it follow. It holds every stripe, as a write, so
 * that after it is acknowledged nothing is claimed, and nothing prepared starts, by what the group
 * was before (P14). What executes goes on. `decide` may throw OperatorErrors.
 * @throws OperatorError `group_in_use` when a group is to be removed that jobs name, and what
 * `settleOutcome` throws.
 */
export async function changeGroup(
  channel: Channel,
  group: string,
  decide: DecideMembers,
): Promise<GroupChanged> {
  return changeOnce<GroupChanged>(channel, {
    ...{ name: 'changeGroup', lock: allStripes, look: `statecron group show ${shellWord(group)}` },
    work: (connection) => write(connection, group, decide),
    answers: { action, target: group },
  });
}

const action = 'group.change';

async function write(connection: ChannelConnection, group: string, decide: DecideMembers) {
  const decode = only(jsonOf<readonly string[]>());
  const [before = null] = await connection.rows(decode, selectGroup, [group]);
  const decided = decide(before);
  const after = decided === null ? null : [...new Set(decided)].sort();
  const nodes = after ?? [];
  if (JSON.stringify(after) === JSON.stringify(before)) {
    return { commit: { group, nodes, isChanged: false, withdrawn: 0 } };
  }
  if (after === null) {
    const jobs = (await countUses(connection, [group])).get(group) ?? 0;
    if (jobs > 0) throw groupInUse(group, jobs);
    await connection.change(deleteGroup, [group]);
  } else {
    if (before === null) await requireRoom(connection);
    await connection.change(writeGroup, [group, JSON.stringify(after)]);
  }
  const withdrawn = await withdrawIneligible(connection);
  await bumpTargetingVersion(connection);
  await writeAudit(connection, { action, target: group, before, after });
  return { commit: { group, nodes, isChanged: true, withdrawn } };
}

/** prepare → idle for launches on nodes that could not claim them now; the tick is next again. */
async function withdrawIneligible(connection: ChannelConnection): Promise<number> {
  const slots = await connection.rows(preparedSlot, selectPrepared);
  if (slots.length === 0) return 0;
  const targeting = await readTargeting(connection);
  const ineligible = slots.filter((slot) => !hasPlace(slot, slot.targetId, targeting));
  await putBackSlots(connection, idsOf(ineligible));
  return ineligible.length;
}

async function requireRoom(connection: ChannelConnection): Promise<void> {
  const [count = 0] = await connection.rows(only(integer), countGroups);
  if (count < groupBounds.groupsMax) return;
  const message = `There are ${groupBounds.groupsMax} groups of nodes already, which is the most.`;
  const hint = 'Remove one that no job names: statecron group list';
  throw new OperatorError({ code: 'too_many_groups', message, hint });
}

function groupInUse(group: string, jobs: number): OperatorError {
  const least = jobs < jobsCountedMax ? '' : 'At least ';
  const names = jobs === 1 ? 'job names' : 'jobs name';
  const message = `${least}${jobs} ${names} the group of nodes ${group}.`;
  const hint = `Edit those first; see them with: statecron group show ${shellWord(group)}`;
  return new OperatorError({ code: 'group_in_use', message, hint });
}

const selectGroup = '/* changeGroup read */ SELECT members FROM node_group WHERE group_name = ?';
const countGroups = '/* changeGroup count */ SELECT COUNT(*) FROM node_group';
const writeGroup = `/* changeGroup */ INSERT INTO node_group (group_name, members, changed_at)
  VALUES (?, ?, NOW(3))
  ON DUPLICATE KEY UPDATE members = VALUES(members), changed_at = VALUES(changed_at)`;
const deleteGroup = '/* changeGroup remove */ DELETE FROM node_group WHERE group_name = ?';
const preparedSlot = rowOf({ slotId: integer, targetId: integer, ...nodeColumns });
const selectPrepared = `/* changeGroup prepared */ SELECT slot.slot_id, slot.target_id,
    ${selectNode}
  FROM slot FORCE INDEX (slot_by_due) JOIN session ON session.session_id = slot.session_id
  WHERE slot.state = 'prepare' AND slot.target_id <> 0`;
