import {
  noTarget,
  type Takeable,
  withinLimits,
  withoutFull,
} from '../../domain/targeting/takeable.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import type { Queryable } from '../connection/queryable.ts';
import { instantMs, integer, only, rowOf, text } from '../rows/row.ts';

/**
 * What may be taken of groups of jobs that have room, by a count without their locks.
 * @param fullAt gets when those without room were seen so, in ms, by their names
 */
export async function leaveFullOut(
  database: Queryable,
  takeable: Takeable,
  fullAt: Map<string, number>,
): Promise<Takeable> {
  if (takeable.limited.length === 0) return takeable;
  const { held, nowMs } = await countHeld(database, takeable);
  const open = withoutFull(takeable, held);
  for (const each of takeable.limited) {
    if (!open.limited.includes(each)) fullAt.set(each.group, nowMs);
  }
  return open;
}

/**
 * Of the slots that a claim has found, in their order, those that the limits of their groups leave
 * room for (at most so many launches in the whole cluster). Counted under a lock for each group,
 * taken after the stripes, as a write, and without waiting: what is locked by another claim is left
 * for the next one.
 */
export async function keepWithinLimits<T extends { readonly targetId: number }>(
  connection: ChannelConnection,
  takeable: Takeable,
  slots: readonly T[],
): Promise<readonly T[]> {
  const found = new Set(slots.map(({ targetId }) => targetId));
  const groups = takeable.limited.filter(({ targetIds }) => targetIds.some((id) => found.has(id)));
  if (groups.length === 0) return slots;
  const locked = await lockGroups(
    connection,
    groups.map(({ group }) => group),
  );
  const { held } = await countHeld(connection, takeable);
  return withinLimits(slots, ({ targetId }) => targetId, takeable, held, locked);
}

/** The target ids of groups that have a limit, for a WHERE; never empty. */
export function limitedTargets({ limited }: Takeable): number[] {
  return [noTarget, ...limited.flatMap(({ targetIds }) => targetIds)];
}

async function lockGroups(connection: ChannelConnection, groups: readonly string[]) {
  const got = await connection.rows(only(text), lockFree, [groups]);
  if (got.length > 0) {
    const affected = await connection.change(writeTaken, [got]);
    if (affected !== got.length) throw new Error('lockGroups: a row changed under its lock');
  }
  return new Set(got);
}

async function countHeld(
  database: Queryable,
  { limited }: Takeable,
): Promise<{ readonly held: ReadonlyMap<number, number>; readonly nowMs: number }> {
  const targetIds = limited.flatMap((each) => each.targetIds);
  const counts = await database.rows(heldOfTarget, selectHeld, [targetIds]);
  const held = new Map(counts.map(({ targetId, launches }) => [targetId, launches]));
  return { held, nowMs: counts[0]?.nowMs ?? 0 };
}

const lockFree = `/* lockGroups */ SELECT group_name FROM job_group
  WHERE group_name IN (?) ORDER BY group_name FOR UPDATE SKIP LOCKED`;
const writeTaken =
  '/* lockGroups taken */ UPDATE job_group SET taken = taken + 1 WHERE group_name IN (?)';
const heldOfTarget = rowOf({ targetId: integer, launches: integer, nowMs: instantMs });
const selectHeld = `/* countHeld */ SELECT target_id, COUNT(*) AS launches, NOW(3) AS now
  FROM slot FORCE INDEX (slot_by_due)
  WHERE state IN ('prepare', 'executing') AND target_id IN (?) GROUP BY target_id`;
