import type { StoreWorld } from '../../support/storeWorld.ts';

/** The checksum of the rows of each table of the database, by name. */
export async function tableChecksums(
  world: Pick<StoreWorld, 'rows'>,
): Promise<Readonly<Record<string, number>>> {
  const tables = await world.rows(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const names = tables.map(({ name }) => `${name}`).filter((name) => name !== 'api_token');
  if (names.length === 0) throw new Error('there are no tables');
  const list = names.sort().map((name) => `\`${name}\``);
  const rows = await world.rows(`CHECKSUM TABLE ${list.join(', ')}`);
  const sums = rows.map((row) => [String(row.Table).split('.').at(-1), Number(row.Checksum)]);
  return Object.fromEntries([...sums, ['api_token', await tokensChecksum(world)]]);
}

/** Without when they were used last, which any request changes. */
async function tokensChecksum(world: Pick<StoreWorld, 'rows'>): Promise<number> {
  const columns = await world.rows(`SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'api_token'
      AND column_name <> 'last_used_at'`);
  const values = columns.map(({ name }) => `IFNULL(HEX(\`${name}\`), '-')`).join(', ');
  const [row] = await world.rows(
    `SELECT IFNULL(SUM(CRC32(CONCAT_WS('|', ${values}))), 0) AS checksum FROM api_token`,
  );
  return Number(row?.checksum);
}
