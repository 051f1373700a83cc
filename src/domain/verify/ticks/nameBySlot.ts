import type { RevisionRecord, RevisionTerms } from '../rules/records.ts';
import { firstPlace, NamedTicks } from './namedTicks.ts';

/** The ticks that a job's cursors owe. */
export interface NamedBySlot {
  /** Those of all revisions. */
  readonly all: NamedTicks;
  /** Some revision was of a kind whose slots share one cursor. */
  readonly hasShared: boolean;
  /** Those that slots with a node's name owe from when they were made, or with '' those without. */
  of(nodeName: string): NamedTicks;
  /**
   * The terms that surely decided what came after a launch that ended then; null: the job was
   * paused or removed, or was changed at about that time.
   */
  termsAt(endedMs: number): RevisionTerms | null;
}

/**
 * Deals the revisions of a job over its cursors. While it ran on every node each node's slot owed
 * every tick, at other times the job did, and beside it each node that runs every tick itself. What
 * cannot be read may have been of either kind.
 */
export function nameBySlot(revisions: readonly RevisionRecord[]): NamedBySlot {
  const isOfEvery = ({ definition }: RevisionRecord) => definition?.kind === 'every-node';
  const all = new NamedTicks(revisions);
  const termsAt = (endedMs: number) => findTerms(revisions, endedMs);
  if (!revisions.some(isOfEvery)) return { all, hasShared: true, of: () => all, termsAt };
  const sharing = revisions.filter((revision) => !isOfEvery(revision));
  const shared = new NamedTicks(sharing);
  return {
    all,
    hasShared: sharing.length > 0,
    of: (nodeName) => (nodeName === '' ? shared : all),
    termsAt,
  };
}

/** A change may be in force only after ticks that were dealt with ahead of it. */
const putOffMsMax = 60_000;

function findTerms(revisions: readonly RevisionRecord[], endedMs: number): RevisionTerms | null {
  const place = firstPlace(revisions, ({ fromMs }) => fromMs >= endedMs);
  const [revision, next] = [revisions[place - 1], revisions[place]];
  if (revision === undefined || revision.isPaused) return null;
  const endMs = Math.min(next?.fromMs ?? Infinity, revision.untilMs ?? Infinity);
  return endMs > endedMs + putOffMsMax ? revision.definition : null;
}
