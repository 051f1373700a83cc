import mysql from 'mysql2/promise';
import type { ActorWorld } from './actorWorld.ts';

/** Takes lock rows like a silent holder somewhere else; resolves to what lets them go. */
export async function holdStripes(
  world: Pick<ActorWorld, 'url' | 'scope'>,
  stripes: readonly number[],
): Promise<() => Promise<void>> {
  const connection = await mysql.createConnection(world.url);
  world.scope.after(async () => connection.destroy());
  await connection.query('START TRANSACTION');
  await connection.query('SELECT * FROM lock_row WHERE lock_id IN (?) FOR UPDATE', [stripes]);
  return async () => {
    await connection.query('ROLLBACK');
    await connection.end();
  };
}
