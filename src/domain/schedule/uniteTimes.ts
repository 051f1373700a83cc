import { countBefore, type DayTimes, has, isWholeDay, type Sixty, sixtyOf } from './dayTimes.ts';

/** Those of some terms that hold on a day, by their places. */
interface Holding {
  readonly places: readonly number[];
  readonly terms: readonly DayTimes[];
}

/** The times of one day as parts of which no two overlap, and how many they are. */
export interface TimesOfDay {
  readonly parts: readonly DayTimes[];
  readonly size: number;
}

export function timesOfDay(parts: readonly DayTimes[]): TimesOfDay {
  return { parts, size: countBefore(parts, 86_400) };
}

/** The times that the named terms have and the excluded ones have not, of which no two overlap. */
export function uniteTimes(
  kinds: readonly SecondKind[],
  named: Holding,
  excluded: Holding,
): TimesOfDay {
  const parts: DayTimes[] = [];
  if (excluded.places.some((place) => isWholeDay(excluded.terms[place] as DayTimes))) {
    return timesOfDay([]);
  }
  for (const kind of kinds) {
    const adding = timesWhere(named, kind.named);
    const taking = timesWhere(excluded, kind.excluded);
    const ofKind: { hours: number; minutes: Sixty; seconds: Sixty }[] = [];
    for (let hour = 0; hour < 24; hour += 1) {
      let [low, high] = [0, 0];
      for (const { hours, minutes } of adding) {
        if (((hours >>> hour) & 1) === 0) continue;
        low |= minutes.low;
        high |= minutes.high;
      }
      for (const { hours, minutes } of taking) {
        if (((hours >>> hour) & 1) === 0) continue;
        low &= ~minutes.low;
        high &= ~minutes.high;
      }
      if ((low | high) === 0) continue;
      const part = ofKind.find(({ minutes }) => minutes.low === low && minutes.high === high);
      if (part !== undefined) part.hours |= 1 << hour;
      else ofKind.push({ hours: 1 << hour, minutes: { low, high }, seconds: kind.seconds });
    }
    parts.push(...ofKind);
  }
  return timesOfDay(parts);
}

function timesWhere({ places, terms }: Holding, isIn: readonly boolean[]): DayTimes[] {
  return places.flatMap((place) => (isIn[place] ? (terms[place] ?? []) : []));
}

/**
 * The seconds of a minute that belong to the same terms, for each such kind. Most sets have one or
 * two: second 0, and the rest. What no term names is left out.
 */
export interface SecondKind {
  readonly seconds: Sixty;
  /** For each named, each excluded term whether it has these seconds. */
  readonly named: readonly boolean[];
  readonly excluded: readonly boolean[];
}

export function secondKinds(
  named: readonly DayTimes[],
  excluded: readonly DayTimes[],
): readonly SecondKind[] {
  const kinds = new Map<string, Omit<SecondKind, 'seconds'> & { values: number[] }>();
  for (let second = 0; second < 60; second += 1) {
    const isIn = ({ seconds }: DayTimes): boolean => has(seconds, second);
    const terms = { named: named.map(isIn), excluded: excluded.map(isIn) };
    if (!terms.named.includes(true)) continue;
    const key = [...terms.named, ...terms.excluded].map(Number).join('');
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { ...terms, values: [second] });
    else kind.values.push(second);
  }
  return [...kinds.values()].map(({ values, ...kind }) => ({ ...kind, seconds: sixtyOf(values) }));
}

/** The places of the masks that have a bit. */
export function placesWith(masks: readonly number[], bit: number): number[] {
  const places: number[] = [];
  for (let place = 0; place < masks.length; place += 1) {
    if ((((masks[place] as number) >>> bit) & 1) === 1) places.push(place);
  }
  return places;
}
