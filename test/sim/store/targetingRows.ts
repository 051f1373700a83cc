import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import type { LiveNode } from '../../../src/domain/targeting/nodeFacts.ts';
import { placementKey, placementOf } from '../../../src/domain/targeting/placementOf.ts';
import {
  anyTarget,
  type Takeable,
  type Targeting,
  takeableOf,
  withoutFull,
} from '../../../src/domain/targeting/takeable.ts';
import { StepCounts } from './stepCounts.ts';
import type { GroupRow, LimitRow, SessionRow, SlotRow, Tables, TargetRow } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** What targeting reads, inside a transaction or outside. */
export interface TargetingView {
  openSessions(): Iterable<SessionRow>;
  readonly groups: { rows(): Iterable<GroupRow> };
  readonly targets: { rows(): Iterable<TargetRow> };
  readonly limits: { rows(): Iterable<LimitRow> };
  slots(): Iterable<SlotRow>;
}

/** What is committed, for a look without locks. */
export function viewOf(tables: Tables): TargetingView {
  const { openSessions, groups, targets, limits, slots } = tables;
  return {
    openSessions: () => openSessions.rows(true),
    groups: { rows: () => groups.values() },
    targets: { rows: () => targets.values() },
    limits: { rows: () => limits.values() },
    slots: () => slots.values(),
  };
}

/** What the session may claim now, of groups of jobs that have room. */
export function takeableRows(
  view: TargetingView,
  nowMs: number,
  sessionId: string,
  counts = new StepCounts(),
): Takeable {
  const live = liveRows(view, nowMs, sessionId);
  counts.add('liveSessions', live.length);
  const takeable = takeableOf(targetingRows(view), live, sessionId);
  return takeable.limited.length === 0 ? takeable : withoutFull(takeable, heldRows(view));
}

/** How many launches slots hold, by their target ids. */
export function heldRows(view: TargetingView): Map<number, number> {
  const held = new Map<number, number>();
  for (const { state, targetId } of view.slots()) {
    if (state !== 'idle') held.set(targetId, (held.get(targetId) ?? 0) + 1);
  }
  return held;
}

/** The sessions that are live by the database's clock; the given one as long as nobody ended it. */
export function liveRows(view: TargetingView, nowMs: number, sessionId = ''): LiveNode[] {
  return [...view.openSessions()].filter(
    (row) => row.isLive && (row.sessionId === sessionId || row.renewedMs + row.ttlMs >= nowMs),
  );
}

export function targetingRows(view: TargetingView): Targeting {
  const groups = [...view.groups.rows()];
  const targets = [...view.targets.rows()];
  const limits = [...view.limits.rows()];
  return {
    version: 0,
    limits: new Map(limits.map(({ group, concurrencyMax }) => [group, concurrencyMax])),
    groups: new Map(groups.map(({ group, members }) => [group, new Set(members)])),
    placements: new Map([
      anyTarget,
      ...targets.map(({ targetId, placement }) => [targetId, placement] as const),
    ]),
  };
}

/** The id of what a definition requires of its nodes, as `ensureTarget` finds or makes it. */
export function ensureTargetRow(transaction: Transaction, definition: JobDefinition): number {
  const placement = placementOf(definition);
  if (placement === null) return 0;
  const { hash } = placementKey(placement);
  for (const row of transaction.targets.rows()) if (row.hash === hash) return row.targetId;
  const targetId = transaction.nextId('target');
  transaction.targets.put(targetId, { targetId, hash, placement });
  bumpVersion(transaction);
  return targetId;
}

export function bumpVersion(transaction: Transaction): void {
  const version = transaction.targetingVersion.get('version') ?? 0;
  transaction.targetingVersion.put('version', version + 1);
}
