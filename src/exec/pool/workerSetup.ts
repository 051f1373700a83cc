import type { LiveOutput } from '../../domain/commit/historyKeep.ts';

/** What the pool hands to each of its worker threads at their start. */
export interface WorkerSetup {
  /** Name of the BroadcastChannel of this pool's `ControlMessage`s. */
  channelName: string;
  sessionId: string;
  nodeEnv: Record<string, string | undefined>;
  bashPath: string;
  /** Users that jobs may run as here. */
  allowedUsers: readonly string[];
  /** Null: spawn with Node itself. */
  perlPath: string | null;
  /** `LeaseFile.fd`; null: no lease (tools and tests). */
  leaseFd: number | null;
  /** An Int32 that is 1 as soon as nothing may be started any more. */
  halt: SharedArrayBuffer;
  /** The pipe to the guardian; null: there is none. */
  guardianFd: number | null;
}

/** `killed`: stopped without the time that SIGTERM would give it. */
export type StopReason = 'stopped' | 'killed' | 'fenced';

/** Pool to workers. Each worker takes what concerns it. */
export type ControlMessage =
  | { kind: 'run.end'; launchId: string; reason: StopReason }
  | { kind: 'run.peek'; launchId: string; bytesMax: number; query: number }
  | { kind: 'pool.close' };

/**
 * A worker to the pool, beside the results of its runs: it gets control messages from now on; its
 * launcher has ended cleanly; its launcher has ended otherwise (`LauncherOptions.onEnded`); the
 * answer to `run.peek`.
 */
export type WorkerMessage =
  | { kind: 'worker.ready' | 'worker.closed' }
  | { kind: 'launcher.ended'; how: string | null }
  | { kind: 'run.output'; query: number; live: LiveOutput };
