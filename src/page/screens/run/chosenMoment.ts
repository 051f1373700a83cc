import { place } from '../../state/place.ts';
import type { ShownRun } from './shownRun.ts';

export type Life = NonNullable<ShownRun['life']>;
export type Phase = Life['phases'][number];

/** What begins, or happens, at an instant. */
export interface Moment {
  readonly at: string | null;
  readonly text: string;
  /** Null: it is a mark. */
  readonly phase: Phase | null;
}

interface Chosen {
  /** By time. */
  readonly moments: readonly Moment[];
  /** The one that the URL names, else the last. */
  readonly chosen: number;
  /** In which the slot may have been then. */
  readonly states: readonly string[];
}

/** The moments of a life, and the one that the reader has chosen. */
export function chosenMoment({ marks, phases }: Life): Chosen {
  const begun = phases.map((phase) => ({ at: phase.begin, text: phase.name, phase }));
  // A mark stands before the phase that it begins.
  const moments: Moment[] = [...marks.map((mark) => ({ ...mark, phase: null })), ...begun];
  moments.sort((one, other) => (one.at ?? '').localeCompare(other.at ?? ''));
  const last = moments.length - 1;
  const asked = Number(place.value.query.get('moment') ?? last);
  const chosen = moments[asked] === undefined ? last : asked;
  const phase = moments.slice(0, chosen + 1).findLast((moment) => moment.phase !== null)?.phase;
  return { moments, chosen, states: phase?.states ?? [] };
}
