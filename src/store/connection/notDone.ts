const errors = new WeakSet<Error>();

/**
 * Notes of an error that it came before anything could be made durable: the connection was not
 * there yet, or the COMMIT had not been sent. Then the outcome that it ends in is in truth a no,
 * and even what must not be done twice may be asked for again.
 */
export function noteNotDone(error: unknown): void {
  if (error instanceof Error) errors.add(error);
}

export function isNotDone(error: Error): boolean {
  return errors.has(error);
}
