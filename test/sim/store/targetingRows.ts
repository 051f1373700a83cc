import type { JobDefinition } from '../../../src/domain/jobDefinition.ts';
import { placementKey, placementOf } from '../../../src/domain/targeting/placementOf.ts';
import {
  anyTarget,
  type LiveNode,
  type Takeable,
  type Targeting,
  takeableOf,
} from '../../../src/domain/targeting/takeable.ts';
import type { GroupRow, SessionRow, Tables, TargetRow } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** What targeting reads, inside a transaction or outside. */
export interface TargetingView {
  sessions(): Iterable<SessionRow>;
  readonly groups: { rows(): Iterable<GroupRow> };
  readonly targets: { rows(): Iterable<TargetRow> };
}

/** What is committed, for a look without locks. */
export function viewOf({ sessions, groups, targets }: Tables): TargetingView {
  return {
    sessions: () => sessions.values(),
    groups: { rows: () => groups.values() },
    targets: { rows: () => targets.values() },
  };
}

/** What the session may claim now. */
export function takeableRows(view: TargetingView, nowMs: number, sessionId: string): Takeable {
  return takeableOf(targetingRows(view), liveRows(view, nowMs, sessionId), sessionId);
}

/** The sessions that are live by the database's clock; the given one as long as nobody ended it. */
export function liveRows(view: TargetingView, nowMs: number, sessionId = ''): LiveNode[] {
  return [...view.sessions()].filter(
    (row) => row.isLive && (row.sessionId === sessionId || row.renewedMs + row.ttlMs >= nowMs),
  );
}

export function targetingRows(view: TargetingView): Targeting {
  const groups = [...view.groups.rows()];
  const targets = [...view.targets.rows()];
  return {
    version: 0,
    groups: new Map(groups.map(({ group, members }) => [group, new Set(members)])),
    placements: new Map([
      anyTarget,
      ...targets.map(({ targetId, placement }) => [targetId, placement] as const),
    ]),
  };
}

/** The id of what a definition asks of its nodes, as `ensureTarget` finds or makes it. */
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
