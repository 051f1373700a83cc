/**
 * How many nodes do what has to be done once in the cluster, and would be done by all at once
 * otherwise: more than one, so that it goes on when some of them die together.
 */
const housekeepersMax = 5;

/**
 * The sessions that watch the beats of all others and do the cluster's housekeeping: the first of
 * those that are live. All of them in a small cluster. The others watch these few, look after them
 * now and then, and take their places when they have ended.
 */
export function housekeepersOf(liveSessionIds: readonly string[]): readonly string[] {
  return [...liveSessionIds].sort().slice(0, housekeepersMax);
}

/** Whether this node is one of them, as far as it knows; it is until it has seen the others. */
export interface Housekeeping {
  isOwn: boolean;
}

/** Of so many rounds of a housekeeper all others do one, in case that it cannot. */
export const othersPeriods = 60;
