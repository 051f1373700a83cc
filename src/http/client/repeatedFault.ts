const repeated = new WeakSet<Error>();

/** Notes of an error that an earlier try of the same request may have been done. */
export function noteRepeated(error: Error): void {
  repeated.add(error);
}

/** Whether what was refused may have been done by an earlier try whose answer was lost. */
export function isRepeatedFault(error: unknown): boolean {
  return error instanceof Error && repeated.has(error);
}
