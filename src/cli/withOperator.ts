import type { DatabaseAddress } from '../store/databaseAddress.ts';
import type { Operator } from '../store/operator/operator.ts';
import type { ClusterOptions } from './clusterOptions.ts';
import { findDatabase, readDatabase } from './readDatabase.ts';
import { whoAsks } from './whoAsks.ts';

/**
 * Gives `use` whoever speaks to the command's cluster. What was opened for it is closed whatever
 * happens.
 */
export async function withOperator<T>(
  options: ClusterOptions,
  use: (operator: Operator) => Promise<T>,
): Promise<T> {
  return viaDatabase(await readDatabase(options), use);
}

/** The same, with null where no cluster is given and none runs here. */
export async function withAnyOperator<T>(
  options: ClusterOptions,
  use: (operator: Operator | null) => Promise<T>,
): Promise<T> {
  const database = await findDatabase(options);
  return database === null ? use(null) : viaDatabase(database, use);
}

async function viaDatabase<T>(
  address: DatabaseAddress,
  use: (operator: Operator) => Promise<T>,
): Promise<T> {
  const [{ withAddress }, { storeOperator }] = await Promise.all([
    import('./withChannel.ts'),
    import('../store/operator/operator.ts'),
  ]);
  return withAddress(address, (channel) => {
    channel.by = whoAsks();
    return use(storeOperator(channel));
  });
}
