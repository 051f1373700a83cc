import type { RunOwnership } from '../request/runOwnership.ts';

/**
 * How the process of a run is started: by the launcher (`launcherSpawner.ts`) or, on machines
 * without Perl, by Node's own spawn (`directSpawner.ts`). `test/exec/spawn/spawnerContract.test.ts`
 * holds both to the same behaviour and lists the differences.
 */
export interface Spawner {
  /**
   * True: what is to outlive its node can be given a caretaker, and bash be started as another user
   * when the node is root.
   */
  readonly isLauncher: boolean;
  /**
   * Starts bash in a session and process group of its own, standard output and error in one pipe.
   * The lease is looked at last: when it is over nothing is started.
   */
  spawn(plan: ChildPlan, listener: ChildListener): Child;
  /**
   * Processes that runs have left behind and that are nobody's children any more, of all runs
   * together; null when this way cannot know them.
   */
  strays(): Promise<Stray[] | null>;
  /** Kills those of a launch until there are none, as far as they are known. */
  killStrays(launchId: string): void;
  /** A clean end: nothing that still runs is touched. */
  close(): Promise<void>;
}

/** What bash is started with: bytes of the kernel's making, without a NUL anywhere. */
export interface ChildPlan {
  launchId: string;
  /** Arguments of the caretaker that stands before bash (`caretaker.pl`); null: none does. */
  caretaker: string[] | null;
  /** Arguments after argv[0], `-c` included. */
  args: string[];
  /** `NAME=value`, the whole environment. */
  env: string[];
  /** '': the home folder of the user that it becomes. */
  cwd: string;
  /** It is a home folder, and nobody named it: where it cannot be entered, `/` will do. */
  isHome: boolean;
  /** As what it is started; null: as the node is. */
  ownership: RunOwnership | null;
  stdin: string | null;
}

export interface Stray {
  pid: number;
  /** The number of the launch that it descends from; null: it is not known. */
  launch: number | null;
}

export interface Child {
  /** Takes what is in the output's pipe now, then closes it; `outputEnded` follows. */
  closeOutput(): void;
  /** Leaves the output in its pipe, so that who writes it has to wait, or reads it again. */
  holdOutput(isHeld: boolean): void;
}

/**
 * The events of a child: `spawned`, `output` as often as there is any, `exited`; or `failed`,
 * before which the launcher has reported the fork as `spawned`; or `fenced` alone.
 */
export interface ChildListener {
  spawned(pid: number, startTicks: number): void;
  /** The bytes are only good during the call. */
  output(bytes: Uint8Array): void;
  /** Bash is gone; all that it wrote itself has been passed to `output`. */
  exited(exit: ChildExit): void;
  /** The output's pipe is closed; reported only when that is later than the exit. */
  outputEnded(): void;
  /** There never was a bash, although there may have been a fork of it. */
  failed(failure: SpawnFailure): void;
  fenced(): void;
}

export interface ChildExit {
  exitCode: number | null;
  signal: string | null;
  outputEnded: boolean;
  /** Whether there are any, of all runs, as in `Spawner.strays`. */
  hasStrays: boolean | null;
  /** When bash was reaped, or, by Node's own spawn, when Node reported it; see `bootMs`. */
  endedBootMs: number;
  /** Why it ran in `/`: its home could not be entered (`ENOENT`); null: it was. */
  homeCode: string | null;
}

type ProcessStage = 'cwd' | 'exec' | 'fork' | 'pipe' | 'stdin' | 'stdout' | 'setsid' | 'spawn';
type OwnershipStage = 'user-unknown' | 'user' | 'groups' | 'nice' | 'memory' | 'cpu';

export interface SpawnFailure {
  stage: ProcessStage | OwnershipStage;
  /** For example `ENOENT`. */
  code: string;
}
