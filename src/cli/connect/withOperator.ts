import type { NodeAddress } from '../../http/client/nodeAddress.ts';
import type { ShownOperator } from '../../http/views/shownOperator.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { caller } from './caller.ts';
import { findDatabase, readDatabase } from './readDatabase.ts';
import { readNodeAddress } from './readNodeAddress.ts';

/**
 * Gives `use` whoever speaks to the command's cluster: a node's API where a URL of one is given,
 * else the database itself. What was opened for it is closed whatever happens.
 */
export async function withOperator<T>(
  options: ClusterOptions,
  use: (operator: ShownOperator) => Promise<T>,
): Promise<T> {
  const node = readNodeAddress(options);
  return node === null ? viaDatabase(await readDatabase(options), use) : viaNode(node, use);
}

/** The same, with null where no cluster is given and none runs here. */
export async function withAnyOperator<T>(
  options: ClusterOptions,
  use: (operator: ShownOperator | null) => Promise<T>,
): Promise<T> {
  const node = readNodeAddress(options);
  if (node !== null) return viaNode(node, use);
  const database = await findDatabase(options);
  return database === null ? use(null) : viaDatabase(database, use);
}

async function viaNode<T>(
  node: NodeAddress,
  use: (operator: ShownOperator) => Promise<T>,
): Promise<T> {
  const [{ NodeClient }, { httpOperator }] = await Promise.all([
    import('../../http/client/nodeClient.ts'),
    import('../../http/client/httpOperator.ts'),
  ]);
  const client = new NodeClient(node);
  try {
    return await use(httpOperator(client));
  } finally {
    client.close();
  }
}

async function viaDatabase<T>(
  address: DatabaseAddress,
  use: (operator: ShownOperator) => Promise<T>,
): Promise<T> {
  const [{ withChannel }, { storeOperator }, { shownOperator }] = await Promise.all([
    import('./withChannel.ts'),
    import('../../store/operator/operator.ts'),
    import('../../http/views/shownOperator.ts'),
  ]);
  return withChannel(address, (channel) => {
    channel.by = caller();
    return use(shownOperator(storeOperator(channel)));
  });
}
