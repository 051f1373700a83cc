import type { Channel } from '../connection/channel.ts';
import { compareSchema, mayUseSchema } from './migrate.ts';

/** `newer`: it has what this version does not know, and may not use. */
export type SchemaFit = 'fits' | 'older' | 'newer';

/** Whether a version may work on the database's schema. Rejects with the driver's error. */
export async function readSchemaFit(channel: Channel, version: string): Promise<SchemaFit> {
  const { missing, unknown } = await compareSchema(channel);
  if (missing.length > 0) return 'older';
  if (unknown.length === 0 || (await mayUseSchema(channel, version))) return 'fits';
  return 'newer';
}
