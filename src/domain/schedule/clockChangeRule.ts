/** What becomes of a schedule where its zone's clock is set forward or back. */
export interface ClockChangeRule {
  readonly gap: GapRule;
  readonly fold: FoldRule;
}

/**
 * A wall time that the zone's clock jumps over: `skip` runs nothing; `shift` runs once, at the
 * first instant after the gap, however many matches fell into it.
 */
export type GapRule = 'skip' | 'shift';

/** A wall time that comes twice: which of the two passes runs. */
export type FoldRule = 'first' | 'second' | 'both';
