/** What takes nothing for so long is given up, and the job goes on without it. */
const stallMsMax = 10_000;
/** The result of a run does not wait longer for what gets its output. */
export const endMsMax = 5_000;

/** A run's output that is left unread while what gets it is behind. */
export class HeldOutput {
  readonly #hold: (isHeld: boolean) => void;
  readonly #giveUp: () => void;
  /** Null: it is not held. */
  #stall: NodeJS.Timeout | null = null;

  /**
   * @param hold says whether the output is to be left unread for now
   * @param giveUp is called when it was held for too long
   */
  constructor(hold: (isHeld: boolean) => void, giveUp: () => void) {
    this.#hold = hold;
    this.#giveUp = giveUp;
  }

  get isHeld(): boolean {
    return this.#stall !== null;
  }

  /** Holds it; where it is held already, its time begins anew. */
  hold(): void {
    const wasHeld = this.isHeld;
    if (this.#stall !== null) clearTimeout(this.#stall);
    this.#stall = setTimeout(this.#giveUp, stallMsMax);
    if (!wasHeld) this.#hold(true);
  }

  release(): void {
    if (this.#stall === null) return;
    clearTimeout(this.#stall);
    this.#stall = null;
    this.#hold(false);
  }
}
