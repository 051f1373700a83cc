import type { History } from './history.ts';
import type { TimelineEntry, Violation } from './violation.ts';

/** A violation as text for people: what, where and when, and what led to it, second by second. */
export function describeViolation(violation: Violation, history: Pick<History, 'about'>): string {
  const { rule, promise, what, job, node, launchId, atMs, timeline } = violation;
  const { startedMs } = history.about;
  const where = [
    job === null ? null : `job ${job}`,
    launchId === null ? null : `launch ${launchId}`,
    node === null ? null : `node ${node}`,
    `at ${secondsText(atMs - startedMs).trim()} s`,
  ];
  const lines = chosen(timeline).map((entry) =>
    entry === null
      ? `${' '.repeat(12)}…`
      : `${secondsText(entry.atMs - startedMs)} s  ${entry.text}`,
  );
  return [
    `✗ ${rule} (${promise}): ${what}`,
    `    ${where.filter((part) => part !== null).join(' · ')}`,
    ...lines.map((line) => `  ${line}`),
  ].join('\n');
}

/** The beginning and the end of a long timeline; null stands for what is left out. */
function chosen(timeline: readonly TimelineEntry[]): (TimelineEntry | null)[] {
  if (timeline.length <= entriesMax) return [...timeline];
  const half = entriesMax / 2;
  return [...timeline.slice(0, half), null, ...timeline.slice(-half)];
}

const entriesMax = 16;

/** Seconds since the history began, right-aligned to the millisecond. */
function secondsText(ms: number): string {
  return (ms / 1_000).toFixed(3).padStart(9);
}
