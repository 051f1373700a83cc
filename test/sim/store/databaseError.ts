/** An error of the memory database as the driver would throw it. */
export class DatabaseError extends Error {
  /** The server's number; without one the connection broke and nobody knows. */
  readonly errno: number | undefined;

  constructor(message: string, errno?: number) {
    super(message);
    this.errno = errno;
  }

  /** Rolled back for certain: the whole transaction may run again. */
  get mayRetry(): boolean {
    return this.errno === 1205 || this.errno === 1213;
  }
}
