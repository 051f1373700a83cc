/** Is read in about a millisecond on the machines on which the bounds were set. */
const text = JSON.stringify(Array.from({ length: 4_500 }, (_, place) => ({ place, name: 'x' })));
const reference = (): unknown => JSON.parse(text);

/**
 * Whether work takes at most so many milliseconds, or, where the machine is slow or shared, as many
 * times what a fixed piece of work takes there: the least processor time of five, in turns.
 */
export function isQuick(msMax: number, work: () => unknown): boolean {
  if (cpuMs(work) <= msMax) return true;
  const pairs = Array.from({ length: 5 }, () => [cpuMs(work), cpuMs(reference)] as const);
  const workMs = Math.min(...pairs.map(([ms]) => ms));
  const referenceMs = Math.min(...pairs.map(([, ms]) => ms));
  return workMs <= msMax * Math.max(1, referenceMs);
}

function cpuMs(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
