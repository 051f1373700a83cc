/** What tells of which kind a launch is. */
export interface LaunchCause {
  readonly triggeredBy: string | null;
  readonly requestId?: string | null;
}

/**
 * Whether a launch is of a tick of the schedule. A new attempt is when the first one was; what was
 * asked for has a request.
 */
export function isTick({ triggeredBy, requestId = null }: LaunchCause): boolean {
  if (triggeredBy === 'retry') return requestId === null || requestId === '';
  return triggeredBy !== null && tickTriggers.has(triggeredBy);
}

const tickTriggers: ReadonlySet<string> = new Set(['schedule', 'misfire', 'queue']);

/** What all attempts of one tick, or of one request, have in common. */
export function attemptsKey(
  launch: LaunchCause & {
    readonly jobId: number;
    readonly nodeName?: string;
    readonly scheduledForDatabaseMs: number;
  },
): string {
  const { jobId, nodeName = '', scheduledForDatabaseMs, triggeredBy, requestId } = launch;
  const why = isTick(launch) ? 'tick' : (requestId ?? triggeredBy);
  return `${jobId} ${nodeName} ${scheduledForDatabaseMs} ${why}`;
}
