import type { StoreWorld } from '../../support/storeWorld.ts';

/** The checksum of the rows of each table of the database, by name. */
export async function tableChecksums(
  world: Pick<StoreWorld, 'rows'>,
): Promise<Readonly<Record<string, number>>> {
  const tables = await world.rows(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const names = tables.map(({ name }) => `\`${name}\``).sort();
  if (names.length === 0) throw new Error('there are no tables');
  const rows = await world.rows(`CHECKSUM TABLE ${names.join(', ')}`);
  return Object.fromEntries(
    rows.map((row) => [String(row.Table).split('.').at(-1), Number(row.Checksum)]),
  );
}
