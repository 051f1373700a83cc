/** One way through the proxy, or both. */
export type Direction = 'to server' | 'to client' | 'both';

/** What all connections of one proxy meet on their way. */
export class Weather {
  delayMs = 0;
  /** Of each connection, in each direction; 0: unlimited. */
  bytesPerSecond = 0;
  #held: Direction | null = null;

  hold(direction: Direction | null): void {
    this.#held = direction;
  }

  holds(direction: Exclude<Direction, 'both'>): boolean {
    return this.#held === 'both' || this.#held === direction;
  }

  clear(): void {
    this.delayMs = 0;
    this.bytesPerSecond = 0;
    this.#held = null;
  }
}
