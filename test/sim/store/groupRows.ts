import type { Outcome } from '../../../src/domain/errors/outcome.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { hasPlace } from '../../../src/domain/targeting/takeable.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import { takeLocks } from './memoryLocks.ts';
import { memoryTransact } from './memoryTransact.ts';
import { putBackRow } from './releaseRows.ts';
import { bumpVersion, targetingRows } from './targetingRows.ts';

/** Sets the members of a group, null removes it; resolves to what was withdrawn: `changeGroup`. */
export function changeGroupRow(
  channel: MemoryChannel,
  group: string,
  members: readonly string[] | null,
): Promise<Outcome<number>> {
  return memoryTransact<number>(channel, async () => {
    await takeLocks(channel, allStripes);
    return channel.step('changeGroup', (transaction) => {
      if (members === null) transaction.groups.remove(group);
      else transaction.groups.put(group, { group, members });
      const targeting = targetingRows(transaction);
      let withdrawn = 0;
      for (const slot of [...transaction.slots()]) {
        if (slot.state !== 'prepare' || slot.targetId === 0) continue;
        const node = transaction.session(slot.sessionId ?? '');
        if (node === undefined || hasPlace(node, slot.targetId, targeting)) continue;
        putBackRow(transaction, slot, 'withdraw');
        withdrawn += 1;
      }
      bumpVersion(transaction);
      return { commit: withdrawn };
    });
  });
}

/** Sets or takes away the limit of a group of jobs, as `changeLimit` does it. */
export function changeLimitRow(
  channel: MemoryChannel,
  group: string,
  concurrencyMax: number | null,
): Promise<Outcome<null>> {
  return memoryTransact<null>(channel, async () => {
    await takeLocks(channel, allStripes);
    return channel.step('changeLimit', (transaction) => {
      if (concurrencyMax === null) transaction.limits.remove(group);
      else transaction.limits.put(group, { group, concurrencyMax });
      bumpVersion(transaction);
      return { commit: null };
    });
  });
}
