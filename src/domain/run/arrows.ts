/** The states that a slot's row can have; `reset` exists in memory only. */
export type SlotState = 'idle' | 'prepare' | 'executing';

/** One legal arrow of the lifecycle: the charts and the SQL are both tested against this table. */
export interface Arrow {
  readonly name: 'claim' | 'start' | 'finish' | 'reset' | 'reap' | 'withdraw';
  readonly from: readonly SlotState[];
  readonly to: SlotState;
  /** The actor, or the operator's command, that requests it. */
  readonly by: string;
}

/**
 * Every arrow there is (promise P2). `withdraw` is how an acknowledged pause, edit or removal takes
 * a prepared launch back in its own transaction: after it nothing is prepared against the change,
 * so that a start need read no more than its own row. A start that comes after the job's start
 * deadline withdraws its launch instead.
 */
export const arrows: readonly Arrow[] = [
  { name: 'claim', from: ['idle'], to: 'prepare', by: 'scheduler' },
  { name: 'start', from: ['prepare'], to: 'executing', by: 'slot' },
  { name: 'finish', from: ['executing'], to: 'idle', by: 'slot' },
  { name: 'reset', from: ['prepare', 'executing'], to: 'idle', by: 'compensator' },
  { name: 'reap', from: ['prepare', 'executing'], to: 'idle', by: 'reaper' },
  {
    name: 'withdraw',
    from: ['prepare'],
    to: 'idle',
    by: 'pause, edit, remove, stop, run, late start',
  },
];
