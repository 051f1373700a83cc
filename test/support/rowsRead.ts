import type { StoreWorld } from './storeWorld.ts';

/** How many rows the server has read meanwhile for the world's connection, of any table. */
export async function rowsRead(
  world: Pick<StoreWorld, 'rows'>,
  work: () => Promise<unknown>,
): Promise<number> {
  const read = async (): Promise<number> => {
    const rows = await world.rows("SHOW SESSION STATUS LIKE 'Handler_read%'");
    return rows.reduce((sum, row) => sum + Number(row.Value), 0);
  };
  const before = await read();
  await work();
  return (await read()) - before;
}
