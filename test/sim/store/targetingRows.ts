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
import type { MemoryChannel } from './memoryChannel.ts';
import { NodeCaches } from './nodeCaches.ts';
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
  session(sessionId: string): SessionRow | undefined;
  readonly targetingVersion: { get(what: 'version' | 'sessions'): number | undefined };
}

/** What is committed, for a look without locks. */
export function viewOf(tables: Tables): TargetingView {
  const { openSessions, groups, targets, limits, sessions, slots, targetingVersion } = tables;
  return {
    openSessions: () => openSessions.rows(true),
    groups: { rows: () => groups.values() },
    targets: { rows: () => targets.values() },
    limits: { rows: () => limits.values() },
    slots: () => slots.values(),
    session: (sessionId) => sessions.get(sessionId),
    targetingVersion,
  };
}

/**
 * What the session may claim now, of groups of jobs that have room. The nodes are read only when
 * they are others than those that it knows, as `TargetingCache` does it.
 */
export function takeableRows(
  view: TargetingView,
  nowMs: number,
  sessionId: string,
  caches = new NodeCaches(),
  counts = new StepCounts(),
): Takeable {
  const own = view.session(sessionId);
  const version = view.targetingVersion.get('version') ?? 0;
  const ownBits = Number(own?.isDraining ?? false) + Number(own?.isCordoned ?? false);
  const versions = `${version} ${view.targetingVersion.get('sessions') ?? 0} ${ownBits}`;
  const takeable = caches.takeableAt(versions, (isFirst) => {
    const open = [...view.openSessions()].filter(({ isLive }) => isLive);
    const live = liveRows(view, nowMs, sessionId);
    counts.add('openNodes', open.length);
    if (isFirst) counts.add('isFirstLook');
    if (caches.isNewTargeting(version)) counts.add('newTargeting');
    const read = takeableOf(targetingRows(view), live, sessionId);
    return { takeable: read, isLasting: live.length === open.length };
  });
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

export function bumpVersion(
  transaction: Transaction,
  what: 'version' | 'sessions' = 'version',
): void {
  const version = transaction.targetingVersion.get(what) ?? 0;
  transaction.targetingVersion.put(what, version + 1);
}

/** The same of the sessions, in a statement of its own. */
export function bumpSessionsRow(channel: MemoryChannel): Promise<unknown> {
  const { targetingVersion } = channel.parts.server.tables;
  return channel.query('bumpVersion', () =>
    targetingVersion.set('sessions', (targetingVersion.get('sessions') ?? 0) + 1),
  );
}
