/** Is read in about a millisecond on the machines on which the bounds were set. */
const text = JSON.stringify(Array.from({ length: 4_500 }, (_, place) => ({ place, name: 'x' })));
const reference = (): unknown => JSON.parse(text);

const roundsMax = 20;

/**
 * Whether work takes at most so many milliseconds, or, where the machine is slow or shared, as many
 * times what a fixed piece of work takes there: the least processor time of each, in turns. What
 * else a machine does makes a round longer, never shorter: 8 ms of work were seen to take 34.
 */
export function isQuick(msMax: number, work: () => unknown): boolean {
  let [workMs, referenceMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < roundsMax; round += 1) {
    workMs = Math.min(workMs, cpuMs(work));
    referenceMs = Math.min(referenceMs, cpuMs(reference));
    if (workMs <= msMax * Math.max(1, referenceMs)) return true;
  }
  return false;
}

function cpuMs(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
