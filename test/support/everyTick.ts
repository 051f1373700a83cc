import type { Channel } from '../../src/store/connection/channel.ts';
import { verifyDatabase } from '../../src/store/verify/verifyDatabase.ts';

/**
 * Every promise that the tables show to be broken, a sentence each: above all ticks that are not
 * accounted for exactly once (P19). None: the history is sound.
 */
export async function findTickFaults(channel: Channel): Promise<string[]> {
  const { findings } = await verifyDatabase(channel);
  return findings.flatMap(({ severity, promise, code, job, message }) =>
    severity === 'broken' ? [`${promise} ${code} ${job ?? '-'}: ${message}`] : [],
  );
}
