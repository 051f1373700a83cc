import { type FaultTable, pause } from './faultTable.ts';
import { makeDeck } from './makeDeck.ts';
import { bootNowMs } from './world/bootNow.ts';
import type { FaultKind } from './world/faultWorld.ts';
import type { Random } from './world/random.ts';

export interface Dealing {
  readonly kinds: readonly FaultKind[];
  readonly random: Random;
  /** Until when faults are begun, by the boot clock. */
  readonly untilMs: number;
  readonly weather: Weather;
  /** Ends it early: nothing more is begun. */
  readonly signal: AbortSignal;
}

/** Faults come in storms, with calms between in which everything has to recover and be in time. */
export interface Weather {
  /** From one fault to the next within a storm, at least and at most. */
  readonly gapMs: readonly [number, number];
  readonly stormMs: number;
  readonly calmMs: number;
}

/** Says which faults come, and when. Resolves when it begins no more and every fault is healed. */
export type FaultSource = (table: FaultTable, dealing: Dealing) => Promise<void>;

const lookMs = 100;

/** Deals faults by a seed until the time is over. */
export async function dealFaults(table: FaultTable, dealing: Dealing): Promise<void> {
  const { kinds, signal, untilMs, random, weather } = dealing;
  const deck = makeDeck(kinds, random);
  const play = (): boolean => {
    const card = deck.draw(({ takes }) => table.places(takes).length > 0);
    if (card === null) return false;
    void table.play(card, random.pick(table.places(card.takes)), random).then((isDone) => {
      if (!isDone) deck.putBack(card);
    });
    return true;
  };
  const isOver = (endMs: number) => signal.aborted || bootNowMs() >= Math.min(endMs, untilMs);
  while (!isOver(untilMs)) {
    const stormEndMs = bootNowMs() + weather.stormMs;
    while (!isOver(stormEndMs)) {
      await pause(random.between(...weather.gapMs), signal);
      while (!isOver(stormEndMs) && !play()) await pause(lookMs, signal);
    }
    await table.cleared();
    if (!isOver(untilMs)) await pause(weather.calmMs, signal);
  }
}
