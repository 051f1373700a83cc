/** What xstate requires of a clock: the delays of every chart go through it. */
export interface ActorClock {
  setTimeout(fire: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** A clock that can be stopped: what waits by it then waits for ever, and holds nothing alive. */
export interface SlicedClock extends ActorClock {
  stop(): void;
}

interface Timer {
  readonly fire: () => void;
  native: NodeJS.Timeout | null;
  isCleared: boolean;
}

/** How long expired delays may hold the event loop before everything else gets its turn. */
const sliceMs = 8;

/**
 * The clock of a node's actors. Node runs the timers of 2,000 slots that are due together in one
 * turn of the event loop; here, expired delays run in order, in slices with a turn for sockets,
 * workers and heartbeats between them. A lone delay is not held up at all.
 */
export function createSlicedClock(nowMs: () => number = () => performance.now()): SlicedClock {
  const waiting = new Set<Timer>();
  const expired: Timer[] = [];
  let isStopped = false;
  let turnEndsMs = Number.NaN;
  let turnIsOpen = false;

  const openTurn = (): void => {
    if (turnIsOpen) return;
    turnIsOpen = true;
    turnEndsMs = nowMs() + sliceMs;
    setImmediate(closeTurn);
  };
  const closeTurn = (): void => {
    turnIsOpen = false;
    if (expired.length > 0) runSlice();
  };
  const runSlice = (): void => {
    openTurn();
    let count = 0;
    while (count < expired.length && nowMs() < turnEndsMs) {
      const timer = expired[count] as Timer;
      count += 1;
      if (!timer.isCleared && !isStopped) timer.fire();
    }
    expired.splice(0, count);
  };
  return {
    setTimeout: (fire, delayMs) => {
      const timer: Timer = { fire, native: null, isCleared: false };
      if (isStopped) return timer;
      waiting.add(timer);
      timer.native = setTimeout(() => {
        waiting.delete(timer);
        expired.push(timer);
        if (expired.length === 1) runSlice();
      }, delayMs);
      return timer;
    },
    clearTimeout: (cleared) => {
      const timer = cleared as Timer;
      timer.isCleared = true;
      waiting.delete(timer);
      if (timer.native !== null) clearTimeout(timer.native);
    },
    stop: () => {
      isStopped = true;
      for (const { native } of waiting) if (native !== null) clearTimeout(native);
      waiting.clear();
    },
  };
}
