import type { LateResult, ResultSpool } from '../../src/domain/run/lateResult.ts';
import type { NodeLoop } from './nodeLoop.ts';
import type { Timeline } from './timeline.ts';

/** How long the disk takes over each thing, milliseconds. */
const diskMs = 2;

/** The spool of one host: it outlives the node processes that write to it. */
export class SimulatedSpool {
  readonly #files = new Map<string, { readonly result: LateResult; readonly atMs: number }>();
  readonly #timeline: Timeline;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** As one process of the host reaches it: what is under way when it dies is not done. */
  openFor(loop: NodeLoop): ResultSpool {
    const files = this.#files;
    const later = <T>(work: () => T): Promise<T> =>
      new Promise((resolve) => loop.after(diskMs, () => resolve(work())));
    return {
      write: (result) =>
        later(() => {
          files.set(result.launchId, { result, atMs: this.#timeline.nowMs() });
        }),
      remove: (launchId) =>
        later(() => {
          files.delete(launchId);
        }),
      list: () => later(() => [...files.keys()].sort()),
      read: (launchId) => later(() => files.get(launchId)?.result ?? null),
      ageMs: (launchId) =>
        later(() => {
          const file = files.get(launchId);
          return file === undefined ? null : this.#timeline.nowMs() - file.atMs;
        }),
    };
  }
}
