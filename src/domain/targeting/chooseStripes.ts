import { type Share, stripesOfShare } from '../run/share.ts';

/** So many stripes of others at least, since their owners may be dead, full or not allowed. */
const othersMin = 2;
/** For so many own stripes one of others, so that two or three nodes clear what a dead one left. */
const ownForOther = 4;

/**
 * Which stripes a claim locks when more is due than it can take: the own ones, and a few of others
 * by chance, so that claims of many nodes do not queue behind each other and none is left out for
 * long.
 */
export function chooseStripes(
  dueStripes: readonly number[],
  share: Share,
  random: () => number,
): number[] {
  const ownStripes = new Set(stripesOfShare(share));
  const chosen = dueStripes.filter((stripe) => ownStripes.has(stripe));
  const others = dueStripes.filter((stripe) => !ownStripes.has(stripe));
  const wanted = Math.max(othersMin, Math.floor(ownStripes.size / ownForOther));
  for (let left = Math.min(wanted, others.length); left > 0; left -= 1) {
    chosen.push(...others.splice(Math.floor(random() * others.length), 1));
  }
  return chosen;
}
