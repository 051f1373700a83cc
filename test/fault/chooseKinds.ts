import { faultKinds } from './faults/faultKinds.ts';
import { type FaultKind, type FaultWorld, whyMissing } from './world/faultWorld.ts';

export interface ChosenKinds {
  readonly kinds: readonly FaultKind[];
  /** Kinds that this machine cannot have, with the reason. */
  readonly notRun: readonly { readonly kind: string; readonly reason: string }[];
}

/**
 * The kinds that a run can have. One that such an engine has not is left out without a word.
 * @param words of the kinds' names; empty: all
 */
export function chooseKinds(words: readonly string[], world: FaultWorld): ChosenKinds {
  const kinds: FaultKind[] = [];
  const notRun: { kind: string; reason: string }[] = [];
  for (const kind of faultKinds()) {
    const isWanted = words.length === 0 || words.some((word) => kind.kind.includes(word));
    if (!isWanted || kind.isFor?.(world) === false) continue;
    const reason = whyMissing(kind, world);
    if (reason === null) kinds.push(kind);
    else notRun.push({ kind: kind.kind, reason });
  }
  return { kinds, notRun };
}
