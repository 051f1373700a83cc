import { setFlagsFromString } from 'node:v8';
import { isVersionAtLeast } from '../../domain/versions/isVersionAtLeast.ts';

/** By how much the heap may grow before what is dead in it is looked for. */
const growthPercent = 60;
/** Its V8 grows by less on its own, and pays no heed to the flag. */
const frugalNodeVersion = '24.0.0';

/**
 * Fits the collector of garbage to a process that shares two processors with a database and jobs.
 * V8 reads the flags at each collection, so that they can be set in a process that runs already.
 *
 * Left to itself V8 lets a heap that is busy grow to several times of what lives in it, where there
 * is memory: while its API was besieged a node grew by 60 MB instead of 72 to 170 MB
 * (`bench -- api`). With 25 percent it were 46 MB, for twice as many collections.
 *
 * Each of those takes 50 ms in which two processors have hardly time for anything else, so that
 * little garbage should ever wait for one. V8 puts what is made at a place whose objects have lived
 * for a while among the old at once, and under siege that were the rows of every list: without it
 * 3 MB a second came there and not 7.
 */
export function tuneHeap(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  if (isVersionAtLeast(process.versions.node, frugalNodeVersion)) return;
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
