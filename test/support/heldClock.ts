import mysql, { type Connection, type ConnectionOptions } from 'mysql2/promise';
import type { Scope } from './createDatabase.ts';
import type { Engine } from './startTestServer.ts';
import { makeReusedWorld, type StoreWorld } from './storeWorld.ts';

/**
 * The database's clock as a test's own connections see it: it stands until it is set. So what a
 * test says of ticks does not depend on how fast the machine is, and no tick is waited for.
 */
export interface HeldClock {
  nowMs(): number;
  /** For the connections that are open, none of which may be in a statement, and for later ones. */
  set(atMs: number): Promise<void>;
  pass(ms: number): Promise<void>;
}

export interface HeldWorld extends StoreWorld {
  readonly clock: HeldClock;
}

/** A world like any other in which time passes when the test says so. */
export async function makeHeldWorld(scope: Scope, engine: Engine): Promise<HeldWorld> {
  const world = await makeReusedWorld(scope, engine);
  // Another world may have the database afterwards.
  scope.after(async () => void heldByDatabase.delete(nameOf(world)));
  return { ...world, clock: await holdClock(world) };
}

interface Held {
  atMs: number;
  readonly connections: Set<Connection>;
}

const heldByDatabase = new Map<string, Held>();

/**
 * Holds the clock of a world's database about now, halfway between two seconds, where no tick is,
 * by the session variable `timestamp`: NOW() is what it says, on MariaDB and MySQL. (SYSDATE() is
 * not; `src` has none.) It holds for every connection that this process opens to that database from
 * now on, and for the world's own channel, so it comes before the first `join`.
 */
export async function holdClock(world: Pick<StoreWorld, 'channel' | 'url'>): Promise<HeldClock> {
  const [row] = await world.channel.query('SELECT UNIX_TIMESTAMP() AS seconds');
  const atMs = Number(row?.seconds) * 1_000 + 500;
  const held: Held = { atMs, connections: new Set() };
  heldByDatabase.set(nameOf(world), held);
  world.channel.destroy(); // its next connection is one of those that are held
  const set = async (toMs: number): Promise<void> => {
    held.atMs = toMs;
    await Promise.all([...held.connections].map((connection) => setOpen(held, connection)));
  };
  return { nowMs: () => held.atMs, set, pass: (ms) => set(held.atMs + ms) };
}

function nameOf({ url }: Pick<StoreWorld, 'url'>): string {
  return new URL(url).pathname.slice(1);
}

const createConnection = mysql.createConnection.bind(mysql) as (
  options: ConnectionOptions,
) => Promise<Connection>;

/** What `src` opens its connections with; the module's object is the same for it and for us. */
async function createHeld(options: ConnectionOptions): Promise<Connection> {
  const connection = await createConnection(options);
  const held = heldByDatabase.get(options.database ?? '');
  if (held === undefined) return connection;
  const forget = (): void => void held.connections.delete(connection);
  connection.on('end', forget);
  connection.on('error', forget);
  held.connections.add(connection);
  await setClock(connection, held.atMs);
  return connection;
}
Object.assign(mysql, { createConnection: createHeld });

/** One that was closed meanwhile has no clock. */
async function setOpen({ atMs, connections }: Held, connection: Connection): Promise<void> {
  await setClock(connection, atMs).catch((error: { errno?: number }) => {
    connections.delete(connection);
    if ((error.errno ?? 0) > 0) throw error; // the server's own word
  });
}

/** A little later, since a number of seconds with a fraction is a little less than it says. */
async function setClock(connection: Connection, atMs: number): Promise<void> {
  await connection.query('SET timestamp = ?', [(atMs + 0.4) / 1_000]);
}
