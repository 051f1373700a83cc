import { createConnection } from 'mysql2/promise';
import type { NodeWorld } from './nodeWorld.ts';

/** A user of the world's database alone; resolves to a URL that needs the password, without it. */
export async function makePasswordUser(world: NodeWorld, password: string): Promise<string> {
  const url = new URL(world.url);
  const user = `p${url.pathname.slice(-12)}`;
  await world.rows(`CREATE USER ${user}@localhost IDENTIFIED BY '${password}'`);
  await world.rows(`GRANT ALL ON ${url.pathname.slice(1)}.* TO ${user}@localhost`);
  const server = new URL(world.url);
  server.pathname = '';
  world.scope.after(async () => {
    const connection = await createConnection(server.href);
    await connection.query(`DROP USER ${user}@localhost`);
    await connection.end();
  });
  url.username = user;
  return url.href;
}
