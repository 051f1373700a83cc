import type { LiveOutput } from '../../domain/commit/historyKeep.ts';

/** What the pool is given and hands on to its worker threads as it is. */
export interface NodeShare {
  sessionId: string;
  /** Users that jobs may run as, where this process is root. */
  allowedUsers: readonly string[];
  /** `LeaseFile.fd`: until when children may be started, and live; null: no lease. */
  leaseFd: number | null;
  /** The pipe to the guardian, `GuardianLink.fd`; null: there is none. */
  guardianFd: number | null;
}

/** What the pool hands to each of its worker threads at their start. */
export interface WorkerSetup extends NodeShare {
  /** Name of the BroadcastChannel of this pool's `ControlMessage`s. */
  channelName: string;
  nodeEnv: Record<string, string | undefined>;
  bashPath: string;
  /** journald's socket. */
  journalPath: string;
  /** Null: spawn with Node itself. */
  perlPath: string | null;
  /** An Int32 that is 1 as soon as nothing may be started any more. */
  halt: SharedArrayBuffer;
}

/** `killed`: stopped without the time that SIGTERM would give it. */
export type StopReason = 'stopped' | 'killed' | 'fenced';

/** Pool to workers. Each worker takes what concerns it. */
export type ControlMessage =
  | { kind: 'run.end'; launchId: string; reason: StopReason }
  | { kind: 'run.peek'; launchId: string; bytesMax: number; query: number }
  | { kind: 'pool.close' };

/**
 * A worker to the pool, beside the results of its runs: it listens from now on; its launcher has
 * ended cleanly, or otherwise (`LauncherOptions.onEnded`); the answer to `run.peek`.
 */
export type WorkerMessage =
  | { kind: 'worker.ready' | 'worker.closed' }
  | { kind: 'launcher.ended'; how: string | null }
  | { kind: 'run.output'; query: number; live: LiveOutput };
