import type { NodeLife } from '../../checkers/history.ts';
import type { PlainProxy } from '../proxy/plainProxy.ts';
import type { NodeLine } from './nodeLine.ts';

/** A guardian with its node, as far as faults reach it. */
export interface FaultNode {
  readonly name: string;
  readonly line: NodeLine;
  /** The way to its API; null: nobody asks it. */
  readonly api: PlainProxy | null;
  readonly spoolFolder: string;
  /** Its node processes so far, the newest last; only that one still changes. */
  readonly lives: readonly GrowingLife[];
  /** The last lines that guardian and node have said, with their times. */
  readonly said: readonly { atMs: number; text: string }[];
  /** False: its clock cannot be set here. */
  readonly hasOwnClock: boolean;
  readonly isSpoolSmall: boolean;
  readonly guardianPid: number | null;
  /** The node process that runs now; null between two of them. */
  readonly nodePid: number | null;
  /** The node's wall clock against the machine's from now on, in whole seconds. */
  setClock(offsetSeconds: number): Promise<void>;
  /**
   * Signals the guardian or the node process; false when there is none.
   * @param fate told as the life's ending, for signals that end it
   */
  signal(whom: 'guardian' | 'node', signal: NodeJS.Signals, fate?: string): boolean;
  /** The lives with their sessions and endings filled in. */
  readLives(sessionsOf: (processId: number) => readonly string[]): NodeLife[];
}

export type GrowingLife = { -readonly [K in keyof NodeLife]: NodeLife[K] };
