/** Woken in one turn of the event loop: some tenths of a millisecond each. */
const wakesMax = 16;

let waiting: (() => void)[] = [];

/**
 * Wakes a client of the event stream soon. All hear of the same events, and to write to hundreds of
 * them at once would hold up every request, and the node's own work, for as long: they are woken a
 * few in each turn of the loop, in the order in which they came.
 */
export function wakeInTurns(wake: () => void): void {
  waiting.push(wake);
  if (waiting.length === 1) setImmediate(takeTurn);
}

function takeTurn(): void {
  const turn = waiting.slice(0, wakesMax);
  waiting = waiting.slice(wakesMax);
  if (waiting.length > 0) setImmediate(takeTurn);
  for (const wake of turn) wake();
}
