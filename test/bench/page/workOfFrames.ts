import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** Of these the processor's: what a busy machine took from the thread is left out. */
  readonly tdur?: number;
}

/** Only those of the events below: recording others takes time on the thread that is measured. */
const categories = ['toplevel', 'disabled-by-default-devtools.timeline.frame'];
const taskName = 'ThreadControllerImpl::RunTask';
const frameName = 'BeginMainThreadFrame';

/**
 * What the page's main thread did for each frame (ms) while something was done to it: the tasks
 * between the beginning of one frame and that of the next.
 */
export async function workOfFrames(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<number[]> {
  await browser.startTracing(page, { categories });
  await act();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`;
  const counts = new Map<string, number>();
  for (const event of trace.traceEvents) {
    if (event.name !== frameName) continue;
    counts.set(threadOf(event), (counts.get(threadOf(event)) ?? 0) + 1);
  }
  // There is one that draws: others of the process are of workers, and of a page that is closed.
  const [main] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  const events = trace.traceEvents.filter((event) => threadOf(event) === main);
  const frames = events.filter(({ name }) => name === frameName).map(({ ts }) => ts);
  frames.sort((a, b) => a - b);
  const work = new Array<number>(Math.max(0, frames.length - 1)).fill(0);
  const tasks = events.filter(({ name, ph }) => ph === 'X' && name === taskName);
  if (tasks.length === 0) throw new Error(`the trace has no event ${taskName}`);
  // Of tasks within tasks the outer one counts.
  tasks.sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  let [frame, endedAt] = [0, Number.NEGATIVE_INFINITY];
  for (const { ts, dur = 0, tdur = dur } of tasks) {
    if (ts < endedAt) continue;
    endedAt = ts + dur;
    // The task that begins a frame begins before it says so.
    while (frame + 1 < frames.length && (frames[frame + 1] ?? 0) < endedAt) frame += 1;
    if (endedAt >= (frames[0] ?? 0) && frame < work.length)
      work[frame] = (work[frame] ?? 0) + tdur / 1_000;
  }
  return work;
}
