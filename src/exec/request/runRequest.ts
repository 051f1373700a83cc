import type { RunOwnership } from './runOwnership.ts';

/** What a worker needs to run one launch: plain data, so that it crosses a thread boundary. */
export interface RunRequest {
  launchId: string;
  jobName: string;
  nodeName: string;
  /** The tick, epoch milliseconds by the database's clock. */
  scheduledForMs: number;
  attempt: number;
  command: string;
  /** The job's own variables; they win over the node's allow-listed ones. */
  env: Record<string, string>;
  /** Those of them whose values are masked in the output; absent: none. */
  secretNames?: readonly string[];
  /** Null: the home folder of the node's user. */
  cwd: string | null;
  /** Null: standard input is closed (/dev/null). */
  stdin: string | null;
  /** Null: no limit. */
  timeoutMs: number | null;
  /** Between SIGTERM and SIGKILL. */
  graceMs: number;
  /** How much of the combined output is kept, head and tail together. */
  outputBytesMax: number;
  /** What happens to processes that bash left running. */
  leftovers: 'kill' | 'wait' | 'leave';
  /** Null: all is as the node has it. */
  ownership: RunOwnership | null;
  /** Not null: it is left to finish when the node is fenced, and its result is spooled. */
  care: RunCare | null;
}

/** What the caretaker of a job needs that is to outlive its node. */
export interface RunCare {
  /** Null: the result goes with the node. */
  spoolFolder: string | null;
  /** The database's clock minus the boot clock, milliseconds; null: not known. */
  clockOffsetMs: number | null;
}
