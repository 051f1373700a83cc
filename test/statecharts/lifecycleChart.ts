import { type Arrow, arrows, type SlotState } from '../../src/domain/run/arrows.ts';
import type { ArrowLabel, Chart, ChartArrow, ChartState } from './chart.ts';

/** The life of a slot's row, drawn from the same table that the SQL is tested against. */
export function lifecycleChart(): Chart {
  const root: ChartState = {
    ...stateOf('lifecycle', 'The row of a slot: every arrow is one transaction of the database.'),
    initial: 'lifecycle.idle',
    states: (['idle', 'prepare', 'executing'] as const).map((name) =>
      stateOf(`lifecycle.${name}`, sentences[name]),
    ),
  };
  const drawn = new Map<string, ChartArrow>();
  for (const arrow of arrows) {
    for (const from of arrow.from) {
      const key = `${from}>${arrow.to}`;
      const labels = [...(drawn.get(key)?.labels ?? []), labelOf(arrow)];
      drawn.set(key, { from: `lifecycle.${from}`, to: `lifecycle.${arrow.to}`, labels });
    }
  }
  return { id: 'lifecycle', root, arrows: [...drawn.values()] };
}

const sentences: Record<SlotState, string> = {
  idle: 'Waits for its next tick.',
  prepare: 'A node has it; nothing runs yet.',
  executing: 'Its command runs.',
};

function stateOf(id: string, description: string): ChartState {
  const name = id.split('.').at(-1) ?? id;
  const empty = { initial: null, invokes: [], entry: [], exit: [], inner: [], states: [] };
  return { id, name, description, isFinal: false, ...empty };
}

function labelOf({ name, by }: Arrow): ArrowLabel {
  const description = `by the ${by}`.replace('by the pause', 'on pause');
  const rest = { sign: 'event', guard: null, actions: [], isForbidden: false } as const;
  return { names: [name], description, ...rest };
}
