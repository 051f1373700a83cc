/** What a lane sends to the runner; all but `ready` and `handles` are sent by laneReporter.mjs. */
export type LaneMessage =
  | { kind: 'ready' }
  | { kind: 'handles'; text: string }
  | { kind: 'diagnostic'; text: string }
  | { kind: 'began'; name: string }
  | ({ kind: 'ended' } & EndedTest);

/** One ended test or suite. */
export interface EndedTest {
  readonly name: string;
  /** 0: the suite that stands for a whole file. */
  readonly nesting: number;
  readonly isSuite: boolean;
  readonly ms: number;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  /** What it failed of, with its stack. */
  readonly error?: string;
}

/** What the runner sends to a lane. */
export type LaneOrder = { kind: 'file'; file: string | null } | { kind: 'report.handles' };

export function sendToRunner(message: LaneMessage): void {
  process.send?.(message);
}
