/**
 * What may come by the hundred, and shall not hold up everything else, e.g. every request and the
 * node's own work, for as long: so many of it begin in each turn of the event loop, in the order in
 * which they came. The first begin in the next turn.
 */
export function inTurns(perTurn: number): (begin: () => void) => void {
  let waiting: (() => void)[] = [];
  const takeTurn = (): void => {
    const turn = waiting.slice(0, perTurn);
    waiting = waiting.slice(perTurn);
    if (waiting.length > 0) setImmediate(takeTurn);
    for (const begin of turn) begin();
  };
  return (begin) => {
    waiting.push(begin);
    if (waiting.length === 1) setImmediate(takeTurn);
  };
}
