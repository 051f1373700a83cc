import { type Blow, type Watcher, watchers } from './runRounds.ts';

const verbs = { SIGSTOP: 'frozen', SIGKILL: 'killed' } as const;
type Signal = keyof typeof verbs;

/** Every pair of watchers frozen, killed, and one of each; and all three killed. */
export const blows: ReadonlyMap<string, Blow> = new Map([
  ...watchers.flatMap((spared) => {
    const [first, second] = watchers.filter((each) => each !== spared) as [Watcher, Watcher];
    const pairs: [Signal, Signal][] = [
      ['SIGSTOP', 'SIGSTOP'],
      ['SIGKILL', 'SIGKILL'],
      ['SIGSTOP', 'SIGKILL'],
      ['SIGKILL', 'SIGSTOP'],
    ];
    return pairs.map(([one, other]): [string, Blow] => [
      `${first} ${verbs[one]}, ${second} ${verbs[other]}`,
      { signals: { [first]: one, [second]: other } },
    ]);
  }),
  ...(['inside the TTL', 'after the TTL'] as const).map((restart): [string, Blow] => [
    `all killed, the name started again ${restart}`,
    { signals: { guardian: 'SIGKILL', node: 'SIGKILL', launcher: 'SIGKILL' }, restart },
  ]),
]);
