import type { CallInput } from '../api/callApi.ts';

type Conditions = Pick<
  NonNullable<CallInput<'GET /jobs'>['query']>,
  (typeof conditionNames)[number]
>;

/** What the URL may say of which jobs are shown. */
export const conditionNames = [
  'text',
  'group',
  'tag',
  'state',
  'lastResult',
  'node',
  'reason',
] as const;

export const stateChoices = {
  '': 'any state',
  running: 'running',
  waiting: 'waiting',
  idle: 'idle',
  paused: 'paused',
  observed: 'observed',
  cannot_run: 'cannot run',
} as const;
type State = keyof typeof stateChoices;

export const resultChoices = {
  '': 'any last result',
  'failed timed_out lost': 'failing',
  succeeded: 'succeeded',
  failed: 'failed',
  timed_out: 'timed out',
  lost: 'lost',
  stopped: 'stopped',
  not_started: 'not started',
} as const;

/** What it says of it, as the API takes it. */
export function readConditions(query: URLSearchParams): Conditions {
  const state = query.get('state') ?? '';
  const single = ['text', 'node', 'reason'].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  const several = ['group', 'tag', 'lastResult'].flatMap((name) => {
    const values = query.getAll(name);
    return values.length === 0 ? [] : [[name, values] as const];
  });
  return {
    ...Object.fromEntries([...single, ...several]),
    ...(state in stateChoices && state !== '' ? { state: state as Exclude<State, ''> } : {}),
  };
}
