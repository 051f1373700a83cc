import type { LaunchPlace } from '../../domain/lateResult.ts';
import type { Channel, Row } from '../channel.ts';

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
  for (const row of await channel.query<Row[]>(selectHeld, [launchIds])) {
    places.set(row.launch_id as string, 'held');
  }
  for (const row of await channel.query<Row[]>(selectEnded, [launchIds])) {
    places.set(row.launch_id as string, row.result === 'lost' ? 'lost' : 'ended');
  }
  return places;
}

const selectHeld = '/* findLaunches held */ SELECT launch_id FROM slot WHERE launch_id IN (?)';
const selectEnded =
  '/* findLaunches ended */ SELECT launch_id, result FROM run WHERE launch_id IN (?)';
