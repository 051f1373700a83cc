import { availableParallelism } from 'node:os';

/** Starts as many at once as there are processors, until there are so many. */
export async function startMore<Node>(
  running: Node[],
  count: number,
  start: (name: string) => Promise<Node>,
): Promise<void> {
  while (running.length < count) {
    const atOnce = Math.min(availableParallelism(), count - running.length);
    const names = Array.from({ length: atOnce }, (_, at) => `node-${running.length + at + 1}`);
    running.push(...(await Promise.all(names.map(start))));
  }
}
