import type { FaultRecord } from '../checkers/history.ts';
import type { LastingFault } from './faultTable.ts';
import { bootNowMs } from './world/bootNow.ts';
import type { FaultWorld } from './world/faultWorld.ts';

/** How far a run is, for whoever watches it. */
export interface RunState {
  phase: string;
  /** The faults that last now. */
  readonly lasting: Set<LastingFault>;
  readonly troubles: readonly string[];
  begin(
    world: FaultWorld,
    startedMs: number,
    untilMs: number,
    faults: readonly FaultRecord[],
  ): void;
  say(line: string): void;
  trouble(text: string): void;
  /** One that is to be expected while the database is broken; only counted. */
  quietTrouble(text: string): void;
  stop(): void;
}

const redrawMs = 500;
const sayEveryMs = 10_000;

/** On a terminal a live line, elsewhere a line every ten seconds; on stderr. */
export function startProgress(stream: NodeJS.WriteStream): RunState {
  const troubles: string[] = [];
  const quiet = new Map<string, number>();
  let report = (): string => '';
  let isDrawn = false;
  const clear = (): void => {
    if (isDrawn) stream.write('\r\x1b[K');
    isDrawn = false;
  };
  const state: RunState = {
    phase: 'starting',
    lasting: new Set(),
    troubles,
    begin: (world, startedMs, untilMs, faults) => {
      state.phase = 'faults';
      report = () => lineOf(state, world, startedMs, untilMs, faults);
    },
    say: (line) => {
      clear();
      stream.write(`${line}\n`);
    },
    trouble: (text) => {
      troubles.push(text);
      if (process.env.STATECRON_TEST_VERBOSE) state.say(`  (${text})`);
    },
    quietTrouble: (text) => void quiet.set(text, (quiet.get(text) ?? 0) + 1),
    stop: () => {
      clearInterval(timer);
      clear();
      for (const [text, times] of quiet) troubles.push(`${text} (${times} times)`);
    },
  };
  const draw = (): void => {
    const line = report();
    if (line === '') return;
    if (!stream.isTTY) {
      stream.write(`${line}\n`);
      return;
    }
    clear();
    stream.write(line.slice(0, stream.columns - 1));
    isDrawn = true;
  };
  const timer = setInterval(draw, stream.isTTY ? redrawMs : sayEveryMs);
  return state;
}

function lineOf(
  state: RunState,
  world: FaultWorld,
  startedMs: number,
  untilMs: number,
  faults: readonly FaultRecord[],
): string {
  const nowMs = bootNowMs();
  const seconds = Math.round((nowMs - startedMs) / 1000);
  const whole = Math.round((untilMs - startedMs) / 1000);
  const phase = state.phase === 'faults' ? `${seconds} of ${whole} s` : state.phase;
  const live = [...world.clock.live.keys()].sort().join(' ');
  const done = `${faults.length} faults · ${world.operator.operations.length} operations`;
  const lasting = [...state.lasting].map(({ kind, node }) =>
    node === null ? kind : `${kind} (${node})`,
  );
  return `${phase} · ${done} · live: ${live} · ${lasting.join('; ')}`;
}
