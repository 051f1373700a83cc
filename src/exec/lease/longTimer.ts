const timerMsMax = 2 ** 31 - 1;

/**
 * A timer for any length of time (Node's own fires at once beyond 24.8 days); returns what cancels
 * it.
 */
export function startLongTimer(delayMs: number, fire: () => void): () => void {
  let leftMs = delayMs;
  let timer: NodeJS.Timeout;
  const arm = () => {
    const stepMs = Math.min(leftMs, timerMsMax);
    leftMs -= stepMs;
    timer = setTimeout(leftMs > 0 ? arm : fire, stepMs);
  };
  arm();
  return () => clearTimeout(timer);
}
