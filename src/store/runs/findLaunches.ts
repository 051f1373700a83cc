import type { LaunchPlace } from '../../domain/run/lateResult.ts';
import type { Channel } from '../connection/channel.ts';
import { only, rowOf, text } from '../rows/row.ts';

/**
 * Where launches are: held by a slot, or what their run rows say. The slots are read first: a
 * launch that leaves its slot between the two reads has its row by the second.
 */
export async function findLaunches(
  channel: Channel,
  launchIds: readonly string[],
): Promise<ReadonlyMap<string, LaunchPlace>> {
  const places = new Map<string, LaunchPlace>();
  if (launchIds.length === 0) return places;
  const held = await channel.rows(only(text), selectHeld, [launchIds]);
  for (const launchId of held) places.set(launchId, 'held');
  for (const { launchId, result } of await channel.rows(endedRun, selectEnded, [launchIds])) {
    places.set(launchId, result === 'lost' ? 'lost' : 'ended');
  }
  return places;
}

const selectHeld = '/* findLaunches held */ SELECT launch_id FROM slot WHERE launch_id IN (?)';
const endedRun = rowOf({ launchId: text, result: text });
const selectEnded =
  '/* findLaunches ended */ SELECT launch_id, result FROM run WHERE launch_id IN (?)';
