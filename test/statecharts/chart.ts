/** A machine as it is drawn: plain data, read from the machine object, free of xstate. */
export interface Chart {
  readonly id: string;
  readonly root: ChartState;
  readonly arrows: readonly ChartArrow[];
}

export interface ChartState {
  /** xstate's id: the path with dots, e.g. `slot.prepare.waiting`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly isFinal: boolean;
  /** The id of the child that is entered first; null for a state without children. */
  readonly initial: string | null;
  readonly invokes: readonly string[];
  readonly entry: readonly string[];
  readonly exit: readonly string[];
  /** Events that are handled without leaving the state, and events that it forbids. */
  readonly inner: readonly ArrowLabel[];
  readonly states: readonly ChartState[];
}

/** All transitions from one state to another: drawn as one arrow with a line for each. */
export interface ChartArrow {
  readonly from: string;
  readonly to: string;
  readonly labels: readonly ArrowLabel[];
}

export type ArrowSign = 'event' | 'after' | 'done' | 'error' | 'always';

export interface ArrowLabel {
  readonly sign: ArrowSign;
  /** Events, the delay, or what was invoked; several when all else about them is the same. */
  readonly names: readonly string[];
  /** A guard's name, `else` when guarded candidates come before it, or null. */
  readonly guard: string | null;
  readonly actions: readonly string[];
  readonly description: string;
  /** The transition has neither target nor action: the event is swallowed here. */
  readonly isForbidden: boolean;
}

/** A state and all states within it. */
export function statesOf(state: ChartState): ChartState[] {
  return [state, ...state.states.flatMap(statesOf)];
}

/** Event, guard and actions of a transition: `start.refused [isBusy] / returnPermit`. */
export function transitionText({ actions, guard, names }: ArrowLabel): string {
  const guarded = guard === null ? '' : ` [${guard}]`;
  const acting = actions.length === 0 ? '' : ` / ${actions.join(', ')}`;
  return `${names.join(', ')}${guarded}${acting}`;
}
