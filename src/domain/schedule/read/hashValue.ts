/**
 * A number below `size` that depends on the job's name and the field alone, so that `H` is the same
 * on every node and in every version. FNV-1a over the UTF-16 code units, then murmur3's finalizer:
 * FNV's low bits alone are uneven for names that differ in their last letter (job-1, job-2 …).
 */
export function hashValue(jobName: string, field: string, size: number): number {
  let hash = 0x811c9dc5;
  for (const text of [field, '\0', jobName]) {
    for (let i = 0; i < text.length; i += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    }
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % size;
}
