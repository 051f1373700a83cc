import type { RunOwnership } from './runOwnership.ts';

/**
 * The seam between the life of a run and the way its process comes to be. There are two ways: the
 * launcher (`launcherSpawner.ts`) and Node's own spawn (`directSpawner.ts`).
 */
export interface Spawner {
  /** True: what is to outlive its node can be given a caretaker. */
  readonly hasCaretakers: boolean;
  /** True: bash can be started as another user, when the node is root. */
  readonly becomesUsers: boolean;
  /**
   * Starts bash in a session and process group of its own, standard output and error in one pipe.
   * The lease is looked at last: past `deadlineMs` (boot clock; null: none) nothing is started.
   */
  spawn(plan: ChildPlan, deadlineMs: number | null, listener: ChildListener): Child;
  /**
   * Processes that runs have left behind and that are nobody's children any more, of all runs
   * together; null when this way cannot know them.
   */
  strays(): Promise<number[] | null>;
  /** A clean end: nothing that still runs is touched. */
  close(): Promise<void>;
}

/** What bash is started with: bytes of the kernel's making, without a NUL anywhere. */
export interface ChildPlan {
  /** Arguments of the caretaker that stands before bash (`caretaker.pl`); null: none does. */
  caretaker: string[] | null;
  /** Arguments after argv[0], `-c` included. */
  args: string[];
  /** `NAME=value`, the whole environment. */
  env: string[];
  /** '': the home folder of the user that it becomes. */
  cwd: string;
  /** As what it is started; null: as the node is. */
  ownership: RunOwnership | null;
  stdin: string | null;
}

export interface Child {
  /** Takes what is in the output's pipe now, then closes it; `outputEnded` follows. */
  closeOutput(): void;
}

/** How a child is heard of. `spawned` comes first, or one of `failed` and `fenced` alone. */
export interface ChildListener {
  spawned(pid: number, startTicks: number): void;
  /** The bytes are only good during the call. */
  output(bytes: Uint8Array): void;
  /** Bash is gone; all that it wrote itself has been passed to `output`. */
  exited(exit: ChildExit): void;
  /** The output's pipe is closed; told only when that is later than the exit. */
  outputEnded(): void;
  /** There never was a bash, although there may have been a fork of it. */
  failed(failure: SpawnFailure): void;
  fenced(): void;
}

export interface ChildExit {
  exitCode: number | null;
  signal: string | null;
  outputEnded: boolean;
  /** As in `Spawner.strays`, at the moment of the exit. */
  strays: number[] | null;
}

export interface SpawnFailure {
  stage:
    | 'cwd'
    | 'exec'
    | 'fork'
    | 'pipe'
    | 'stdin'
    | 'stdout'
    | 'setsid'
    | 'spawn'
    | 'user-unknown'
    | 'user'
    | 'groups'
    | 'nice'
    | 'memory'
    | 'cpu';
  /** For example `ENOENT`. */
  code: string;
}
