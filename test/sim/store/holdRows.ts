import { allStripes, sessionLockId } from '../../../src/domain/run/stripes.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import { takeLocks } from './memoryLocks.ts';
import { memoryTransact } from './memoryTransact.ts';
import { putBackRow } from './releaseRows.ts';
import { heldFacts } from './sessionRows.ts';
import { bumpVersion } from './targetingRows.ts';

/** Cordons, drains or uncordons a node as `holdNode` does it; resolves to what it gave back. */
export async function holdNodeRows(
  channel: MemoryChannel,
  how: 'cordon' | 'drain' | 'uncordon',
  nodeName: string,
): Promise<number> {
  const { holds, sessions } = channel.parts.server.tables;
  const outcome = await memoryTransact<number>(channel, async () => {
    await takeLocks(channel, [...allStripes, sessionLockId]);
    return channel.step('holdNode', (transaction) => {
      if (how === 'uncordon') holds.delete(nodeName);
      else holds.add(nodeName);
      const own = [...sessions.values()].filter((row) => row.isLive && row.nodeName === nodeName);
      for (const row of own) {
        const isLeaving = row.isDraining && !row.isCordoned;
        if (!isLeaving) transaction.putSession({ ...row, ...heldFacts(how !== 'uncordon') });
      }
      bumpVersion(transaction, 'sessions');
      if (how !== 'drain') return { commit: 0 };
      const prepared = [...transaction.slots()].filter(
        ({ sessionId, state }) =>
          state === 'prepare' && own.some((session) => session.sessionId === sessionId),
      );
      for (const slot of prepared) putBackRow(transaction, slot, 'reset');
      return { commit: prepared.length };
    });
  });
  if (outcome.outcome !== 'committed') throw new Error(`holdNode: ${outcome.outcome}`);
  return outcome.value;
}
