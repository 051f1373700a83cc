import type { Channel } from '../../store/connection/channel.ts';
import { compareSchema } from '../../store/schema/migrate.ts';

/** Which migrations the database lacks, or has beyond this version's. */
export async function readSchema(
  channel: Channel,
): Promise<{ missing: string[]; unknown: string[] }> {
  try {
    return await compareSchema(channel);
  } catch (error) {
    // A database that was never migrated has not even the table of migrations.
    if ((error as { errno?: number }).errno !== noSuchTable) throw error;
    return { missing: ['all of them'], unknown: [] };
  }
}

const noSuchTable = 1146;
