import type { Connection, RowDataPacket } from 'mysql2/promise';
import type { EngineMember } from '../engines/faultEngine.ts';
import { connectOutside } from '../world/connectOutside.ts';
import {
  type FaultKind,
  type FaultWorld,
  nothingToHeal,
  writableMember,
} from '../world/faultWorld.ts';
import type { Random } from '../world/random.ts';

/** Faults of what a running server is set to, and of its connections. */
export function serverFaults(): FaultKind[] {
  return [readOnly, crowded, connectionsKilled];
}

const readOnly: FaultKind = {
  kind: 'database read-only',
  takes: 'database',
  stops: 'everything',
  needs: ['server'],
  inject: async (world, random) => {
    const member = await writableMember(world);
    await member.query('SET GLOBAL read_only = 1');
    const isOnly = world.engine.members.length === 1;
    return {
      target: isOnly ? 'database' : member.name,
      detail: 'SET GLOBAL read_only = 1',
      lastsMs: random.between(300, 2_500),
      heal: async () => void (await member.query('SET GLOBAL read_only = 0')),
    };
  },
};

/** The fewest that both families allow is lower; this leaves holders a place to be refused at. */
const connectionsMin = 10;

/** No new connection is let in, and one node needs some. */
const crowded: FaultKind = {
  kind: 'database without free connections',
  takes: 'node',
  stops: 'node',
  needs: ['server'],
  inject: async (world, random, node) => {
    const member = await writableMember(world);
    // From before the limit: while more than it are open a new connection is refused to
    // administrators, too, and nobody could lift it.
    const admin = await connectOutside(member.adminUrl());
    const before = await limitOf(admin);
    if (before <= connectionsMin) {
      admin.destroy(); // this fault lasts already, for another node
      return null;
    }
    await admin.query(limitTo(connectionsMin));
    const holders = await holdConnections(member, world.database);
    node.line.each((proxy) => proxy.cutAll());
    return {
      target: node.name,
      detail: `max_connections = ${connectionsMin}, ${holders.length} holders, its own cut`,
      lastsMs: random.between(500, 3_000),
      heal: async () => {
        for (const holder of holders) holder.destroy();
        await admin.query(limitTo(before)).catch(() => member.query(limitTo(before)));
        admin.destroy();
      },
    };
  },
};

const limitTo = (number: number): string => `SET GLOBAL max_connections = ${number}`;

async function limitOf(admin: Connection): Promise<number> {
  const sql = 'SELECT @@global.max_connections AS number';
  const [[row]] = await admin.query<RowDataPacket[]>(sql);
  return Number(row?.number);
}

async function holdConnections(member: EngineMember, database: string): Promise<Connection[]> {
  const holders: Connection[] = [];
  for (let number = 0; number < connectionsMin; number += 1) {
    try {
      holders.push(await connectOutside(member.userUrl(database)));
    } catch {
      break; // it is full, as wanted
    }
  }
  return holders;
}

const connectionsKilled: FaultKind = {
  kind: 'connections killed by the server',
  takes: 'database',
  stops: 'everything',
  inject: async (world, random) => {
    const member = await writableMember(world);
    const killed = await killSome(member, world, random);
    if (killed === 0) return null;
    const detail = `KILL of ${killed}`;
    return { target: 'database', detail, lastsMs: 0, heal: nothingToHeal };
  },
};

async function killSome(member: EngineMember, world: FaultWorld, random: Random): Promise<number> {
  const user = new URL(member.userUrl()).username;
  const rows = await member.query(
    `SELECT ID AS id FROM information_schema.processlist
      WHERE USER = '${user}' AND DB = '${world.database}'`,
  );
  const share = 0.2 + 0.8 * random.next();
  const chosen = random.shuffle(rows).slice(0, Math.ceil(rows.length * share));
  let killed = 0;
  for (const { id } of chosen) {
    // One that has just ended by itself is an error.
    await member.query(`KILL ${Number(id)}`).then(
      () => {
        killed += 1;
      },
      () => undefined,
    );
  }
  return killed;
}
