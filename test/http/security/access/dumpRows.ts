import type { StoreWorld } from '../../../support/storeWorld.ts';

/** Every value of every row of the database as text; bytes as they are and in hexadecimal. */
export async function dumpRows(world: Pick<StoreWorld, 'rows'>): Promise<string> {
  const tables = await world.rows(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    for (const row of await world.rows(`SELECT * FROM \`${name}\``)) {
      for (const value of Object.values(row as Record<string, unknown>)) {
        if (value instanceof Uint8Array) {
          const bytes = Buffer.from(value);
          texts.push(bytes.toString('latin1'), bytes.toString('hex'));
        } else texts.push(String(value));
      }
    }
  }
  return texts.join('\n');
}
