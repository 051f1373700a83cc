/**
 * How far a client has come, as the `id` of events says it and `Last-Event-ID` brings it back, to
 * whichever node.
 */
export interface StreamPosition {
  /** Sessions that came and went until then were sent; by the database's clock. */
  readonly sessionsMs: number;
  /**
   * Every row of the history up to this number was sent. Rows above it may have been, too, while a
   * lower number was still missing: those come a second time to a client that comes back.
   */
  readonly runId: number;
}

/** Writes a position: both numbers in base 36. */
export function writePosition({ sessionsMs, runId }: StreamPosition): string {
  return `${sessionsMs.toString(36)}.${runId.toString(36)}`;
}

/** Reads a position; null: it is none. */
export function readPosition(text: string): StreamPosition | null {
  // Ten digits of base 36 are a safe integer.
  const [, sessions, run] = /^([0-9a-z]{1,10})\.([0-9a-z]{1,10})$/.exec(text) ?? [];
  if (sessions === undefined || run === undefined) return null;
  return { sessionsMs: Number.parseInt(sessions, 36), runId: Number.parseInt(run, 36) };
}
