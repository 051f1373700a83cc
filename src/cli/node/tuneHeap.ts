import { setFlagsFromString } from 'node:v8';
import { isVersionAtLeast } from '../../domain/versions/isVersionAtLeast.ts';

/** By how much the heap may grow before what is dead in it is looked for. */
const growthPercent = 60;
/** Its V8 grows by less on its own, and pays no heed to the flag. */
const frugalNodeVersion = '24.0.0';

/**
 * Fits the garbage collector to a process that shares two processors with a database and jobs. V8
 * reads the flags at each collection, so they can be set while it runs.
 *
 * Growth: by default V8 lets a busy heap grow to several times of what is live. With the limit a
 * node whose API was besieged grew by 60 MB instead of 72 to 170 MB (`bench -- api`); 25 percent
 * would give 46 MB for twice as many collections. Pretenuring puts objects of allocation sites
 * whose objects lived long into the old space at once; under siege those were the rows of every
 * list, 7 MB a second instead of 3, and each collection there takes 50 ms.
 */
export function tuneHeap(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  if (isVersionAtLeast(process.versions.node, frugalNodeVersion)) return;
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
