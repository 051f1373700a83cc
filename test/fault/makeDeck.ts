import type { FaultKind } from './world/faultWorld.ts';
import type { Random } from './world/random.ts';

export interface Deck {
  /** The first card from the top that can be played; null: none of those that are left can. */
  draw(canPlay: (kind: FaultKind) => boolean): FaultKind | null;
  /** One that could not be done after all comes again, but not at once. */
  putBack(kind: FaultKind): void;
}

/** So many cards are looked through, so that what has to wait is not put off to the end. */
const handSize = 12;

/**
 * The kinds as a shuffled deck, each as often as it weighs; the first deck has each once, so that
 * even a short run sees as many as it can. An empty deck is followed by another.
 */
export function makeDeck(kinds: readonly FaultKind[], random: Random): Deck {
  let cards = random.shuffle(kinds);
  const whole = kinds.flatMap((kind) => Array.from({ length: kind.weight ?? 1 }, () => kind));
  return {
    putBack: (kind) => void cards.splice(handSize, 0, kind),
    draw: (canPlay) => {
      if (cards.length < handSize) cards = [...cards, ...random.shuffle(whole)];
      const at = cards.slice(0, handSize).findIndex(canPlay);
      return at === -1 ? null : (cards.splice(at, 1)[0] ?? null);
    },
  };
}
