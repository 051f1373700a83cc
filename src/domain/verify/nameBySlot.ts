import { NamedTicks } from './namedTicks.ts';
import type { RevisionRecord } from './records.ts';

/** The ticks that a job's cursors owe. */
export interface NamedBySlot {
  /** Those of all revisions. */
  readonly all: NamedTicks;
  /** Some revision was of a kind whose slots share one cursor. */
  readonly hasShared: boolean;
  /** Those that the slots of a node's name owe, or with '' those that no node's name is in. */
  of(nodeName: string): NamedTicks;
}

/**
 * Deals the revisions of a job over its cursors: while it ran on every node each node's slot owed
 * every tick, at other times the job did. What cannot be read may have been of either kind.
 */
export function nameBySlot(revisions: readonly RevisionRecord[]): NamedBySlot {
  const isOfEvery = ({ definition }: RevisionRecord) => definition?.kind === 'every-node';
  const all = new NamedTicks(revisions);
  if (!revisions.some(isOfEvery)) return { all, hasShared: true, of: () => all };
  const sharing = revisions.filter((revision) => !isOfEvery(revision));
  const shared = new NamedTicks(sharing);
  const single = new NamedTicks(
    revisions.filter((revision) => isOfEvery(revision) || revision.definition === null),
  );
  return {
    all,
    hasShared: sharing.length > 0,
    of: (nodeName) => (nodeName === '' ? shared : single),
  };
}
