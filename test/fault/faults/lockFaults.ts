import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { allStripes, sessionLockId, stripeCount } from '../../../src/domain/run/stripes.ts';
import { bootNowMs } from '../world/bootNow.ts';
import { connectOutside } from '../world/connectOutside.ts';
import { type FaultKind, type FaultWorld, writableMember } from '../world/faultWorld.ts';
import type { Random } from '../world/random.ts';

/** Faults of somebody else who takes locks: for long, all of them, or in the wrong order. */
export function lockFaults(): FaultKind[] {
  return [
    // Like a node that holds it: who waits for that stripe may be late, and nobody else.
    held('one stripe held', 'node', (random) => [random.between(0, stripeCount - 1)]),
    held('all stripes held', 'everything', () => allStripes),
    // Joins and ends of sessions wait for it; renewals and runs do not.
    held('session lock held', 'nothing', () => [sessionLockId]),
    deadlocks,
  ];
}

function held(
  kind: string,
  stops: FaultKind['stops'],
  choose: (random: Random) => readonly number[],
): FaultKind {
  return {
    kind,
    takes: 'database',
    stops,
    inject: async (world, random) => {
      const locks = choose(random);
      const connection = await outsider(world);
      try {
        await connection.query('BEGIN');
        for (const lock of locks) await connection.query(takeLock, [lock]);
      } catch {
        connection.destroy(); // somebody held one for longer than we wait
        return null;
      }
      return {
        target: locks.length === 1 ? `lock ${locks[0]}` : 'all stripes',
        detail: 'an outside transaction holds the lock row',
        lastsMs: random.between(500, 4_000),
        heal: async () => connection.destroy(),
      };
    },
  };
}

const crossingMs = 2_500;

/**
 * A second client that locks a slot first and its stripe then, the wrong way round, over and over.
 * Who comes the right way meets it in a deadlock, and the server chooses whose transaction ends.
 */
const deadlocks: FaultKind = {
  kind: 'deadlocks',
  takes: 'database',
  stops: 'everything',
  inject: async (world, random) => {
    const connection = await outsider(world);
    const fromMs = bootNowMs();
    let met = 0;
    try {
      const [slots] = await connection.query<RowDataPacket[]>('SELECT slot_id, stripe FROM slot');
      if (slots.length === 0) return null;
      while (bootNowMs() - fromMs < crossingMs) {
        const slot = random.pick(slots);
        try {
          await connection.query('BEGIN');
          await connection.query(lockSlot, [slot.slot_id]);
          await sleep(random.between(1, 30));
          await connection.query(takeLock, [slot.stripe]);
          await connection.query('COMMIT');
        } catch (error) {
          if ((error as { errno?: number }).errno === 1213) met += 1;
          await connection.query('ROLLBACK');
        }
      }
    } catch {
      // another fault took the connection away; what was done so far counts
    } finally {
      connection.destroy();
    }
    const detail = `locks crossed for ${crossingMs} ms, ${met} lost by the outsider`;
    return { target: 'database', detail, fromMs, lastsMs: 0, heal: async () => undefined };
  },
};

async function outsider(world: FaultWorld): Promise<Connection> {
  const member = await writableMember(world);
  const connection = await connectOutside(member.adminUrl(world.database));
  await connection.query('SET innodb_lock_wait_timeout = 2');
  await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
  return connection;
}

const takeLock = 'UPDATE lock_row SET taken = taken + 1 WHERE lock_id = ?';
const lockSlot = 'SELECT slot_id FROM slot WHERE slot_id = ? FOR UPDATE';
