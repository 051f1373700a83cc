import type { NodeAddress } from '../../http/client/sendRequest.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { addressOf } from '../options/givenDatabase.ts';
import { isSet } from '../options/readSecret.ts';
import { printJson, printJsonArray, printLimitNote, printNote } from '../output/print.ts';
import { type Column, printTable, type TableOptions } from '../output/table/printTable.ts';
import { findDatabase, readDatabase } from './readDatabase.ts';
import { readNodeAddress } from './readNodeAddress.ts';
import { withNearNames } from './withNearNames.ts';

/**
 * Gives `use` whoever speaks to the command's cluster: a node's API where a URL of one is given,
 * else the database itself. What was opened for it is closed whatever happens.
 */
export async function withOperator<T>(
  options: ClusterOptions,
  use: (operator: ApiOperator) => Promise<T>,
): Promise<T> {
  const node = readNodeAddress(options);
  return node === null ? viaDatabase(await readDatabase(options), use) : viaNode(node, use);
}

/** The same, with null where no cluster is given and none runs here. */
export async function withAnyOperator<T>(
  options: ClusterOptions,
  use: (operator: ApiOperator | null) => Promise<T>,
): Promise<T> {
  const node = readNodeAddress(options);
  if (node !== null) return viaNode(node, use);
  const given = await findDatabase(options);
  return given === null ? use(null) : viaDatabase(addressOf(given), use);
}

/** Loads what either needs to speak to a cluster, so that a time limit is about the cluster. */
export async function loadOperator(options: ClusterOptions): Promise<void> {
  const isNode = isSet(options.url) || isSet(process.env.STATECRON_URL);
  await (isNode ? nodeModules() : databaseModules());
}

const nodeModules = () =>
  Promise.all([
    import('../../http/client/nodeClient.ts'),
    import('../../http/client/httpOperator.ts'),
  ]);

const databaseModules = () =>
  Promise.all([
    import('./withChannel.ts'),
    import('../../store/operator/operator.ts'),
    import('../../http/views/apiOperator.ts'),
  ]);

async function viaNode<T>(
  node: NodeAddress,
  use: (operator: ApiOperator) => Promise<T>,
): Promise<T> {
  const [{ NodeClient }, { httpOperator }] = await nodeModules();
  const client = new NodeClient(node);
  try {
    return await useOperator(httpOperator(client), use);
  } finally {
    client.close();
  }
}

async function viaDatabase<T>(
  address: DatabaseAddress,
  use: (operator: ApiOperator) => Promise<T>,
): Promise<T> {
  const [{ withUserChannel }, { storeOperator }, { apiOperator }] = await databaseModules();
  return withUserChannel(address, (channel) => {
    return useOperator(apiOperator(storeOperator(channel)), use);
  });
}

async function useOperator<T>(
  operator: ApiOperator,
  use: (operator: ApiOperator) => Promise<T>,
): Promise<T> {
  try {
    return await use(operator);
  } catch (error) {
    throw await withNearNames(error, operator);
  }
}

/** Sends a request to the cluster and prints the answer, in JSON as the API has it or as text. */
export async function printAnswer<Answer>(
  options: ClusterOptions,
  send: (operator: ApiOperator) => Promise<Answer>,
  printText: (answer: Answer) => void,
): Promise<void> {
  const answer = await withOperator(options, send);
  if (options.json) printJson(answer);
  else printText(answer);
}

type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

interface Listing<Item> {
  readonly read: (operator: ApiOperator) => Items<Item> | Promise<Items<Item>>;
  /** A list that may be long is printed as it comes: in JSON an item a line. */
  readonly isLong?: boolean;
  /** Called when there are no items: rejects when what they were looked for by is not there. */
  readonly requireSubject?: (operator: ApiOperator) => Promise<unknown>;
  /** So many items at most are read: it is said where that may have been too few. */
  readonly limit?: number;
  /** Printed when there are no items. */
  readonly empty: string;
  readonly columns: Columns<Item>;
}

/** Some have to look up what they show beside the items. */
type Columns<Item> =
  | readonly Column<Item>[]
  | ((operator: ApiOperator, items: readonly Item[]) => Promise<readonly Column<Item>[]>);

/** Prints a list of a cluster's, in JSON as the API has it, else as a table; how many it shows. */
export async function printList<Item>(
  options: ClusterOptions & TableOptions,
  { read, requireSubject, isLong = false, limit, empty, columns }: Listing<Item>,
): Promise<number> {
  return withOperator(options, async (operator) => {
    const all = eachOr(await read(operator), async () => requireSubject?.(operator));
    if (options.json) {
      await (isLong ? printJsonArray(all) : printJson(await gathered(all)));
      return 0;
    }
    const shown = await gathered(all);
    const isLookedUp = typeof columns === 'function' && shown.length > 0;
    const made = isLookedUp ? await columns(operator, shown) : columns;
    if (shown.length === 0 || typeof made === 'function') printNote(empty);
    else printTable(made, shown, options);
    if (shown.length === limit) printLimitNote(limit);
    return shown.length;
  });
}

async function* eachOr<Item>(
  items: Items<Item>,
  whenNone: () => Promise<unknown>,
): AsyncGenerator<Item> {
  let isAny = false;
  for await (const item of items) {
    isAny = true;
    yield item;
  }
  if (!isAny) await whenNone();
}

async function gathered<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
