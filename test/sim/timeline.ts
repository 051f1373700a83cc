/** What has been put on a timeline and not happened yet. */
export interface Appointment {
  cancel(): void;
}

/** Where everything simulated waits: on virtual time in a simulation, on real time in tests. */
export interface Timeline {
  /** The boot clock of the simulated hosts, milliseconds. */
  nowMs(): number;
  after(delayMs: number, fire: () => void): Appointment;
}

/** Real time, for a memory store beside a real one in the same tests. */
export const realTimeline: Timeline = {
  nowMs: () => performance.now(),
  after: (delayMs, fire) => {
    const timer = setTimeout(fire, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};
