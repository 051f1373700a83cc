/** Looks from outside whether a fault is in effect. Made before it, of a world that is well. */
export interface FaultProbe {
  /** Of something that happens once: whether it has happened. */
  isOn(): Promise<boolean>;
  /** True: `isOn` tells what was, and stays true. */
  readonly isOnce?: boolean;
  close?(): void;
}
