import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { type Calculations, calculations } from './calculations.ts';

/**
 * On Linux a thread has a priority of its own: the node's other threads, its jobs and its database
 * come first. Not by much: the event loop stands still until a thread that was ended has left, for
 * which one of the lowest priority was seen to wait 0.7 s for its turn on a busy machine.
 */
const nicerBy = 5;
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + nicerBy));

/** The system's number of this thread, or -1. */
const threadId = readThreadId();

/** A calculation as it is sent to the thread that does it. */
interface CalculationRequest {
  readonly name: keyof Calculations;
  readonly input: never;
  /** Shared with the caller: the system's number of the thread is put here as it begins. */
  readonly thread: Int32Array;
}

/** The thread's one task. */
// biome-ignore lint/style/noDefaultExport: the pool calls what a module exports by default
export default function calculate({ name, input, thread }: CalculationRequest): unknown {
  Atomics.store(thread, 0, threadId);
  return calculations[name](input);
}

function readThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return -1; // There is no such folder, e.g. on macOS.
  }
}
