import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineMember } from '../engines/faultEngine.ts';
import { type FaultKind, type FaultWorld, nothingToHeal } from '../world/faultWorld.ts';

/** Faults of the server's process, on engines of one server. */
export function databaseFaults(): FaultKind[] {
  return [
    {
      kind: 'database killed and started',
      takes: 'database',
      stops: 'everything',
      isFor: isSingle,
      inject: async (world, random) => {
        const server = onlyMember(world);
        await server.kill();
        // Mostly shorter than the lease, sometimes longer: then every node fences itself.
        const awayMs = random.between(0, random.next() < 0.8 ? 1_500 : world.ttlMs * 1.2);
        return {
          target: 'database',
          detail: `SIGKILL, away for ${awayMs} ms`,
          lastsMs: awayMs,
          heal: () => server.start(),
        };
      },
    },
    {
      kind: 'database frozen',
      takes: 'database',
      stops: 'everything',
      isFor: isSingle,
      inject: async (world, random) => {
        const server = onlyMember(world);
        await server.stop();
        const lastsMs = random.between(300, random.next() < 0.8 ? 2_500 : world.ttlMs * 1.2);
        return {
          target: 'database',
          detail: `SIGSTOP for ${lastsMs} ms`,
          lastsMs,
          heal: () => server.cont(),
        };
      },
    },
    {
      kind: 'database restarted',
      takes: 'database',
      stops: 'everything',
      isFor: isSingle,
      inject: async (world) => {
        await onlyMember(world).restart();
        return { target: 'database', detail: 'SIGTERM', lastsMs: 0, heal: nothingToHeal };
      },
    },
  ];
}

/** Faults of one member of a cluster; the others stay a majority. */
export function memberFaults(): FaultKind[] {
  return [
    {
      kind: 'member that takes writes killed',
      takes: 'database',
      stops: 'everything',
      isFor: isCluster,
      inject: async (world, random) => {
        const member = random.pick(await world.engine.writable());
        await member.kill();
        await someoneWrites(world);
        return {
          ...away(member, 'SIGKILL', random.between(500, 4_000)),
          heal: () => member.start(),
        };
      },
    },
    {
      kind: 'member restarted',
      takes: 'database',
      stops: 'everything',
      isFor: isCluster,
      inject: async (world, random) => {
        const member = random.pick(world.engine.members);
        await member.restart();
        await someoneWrites(world);
        return { ...away(member, 'SIGTERM', 0), heal: nothingToHeal };
      },
    },
    {
      kind: 'member frozen',
      takes: 'database',
      stops: 'everything',
      isFor: isCluster,
      inject: async (world, random) => {
        const member = random.pick(world.engine.members);
        await member.stop();
        const { lastsMs, ...rest } = away(member, 'SIGSTOP', random.between(500, 6_000));
        // Out of the group when it was long: its own word, that it is in again, is waited for.
        return { ...rest, lastsMs, heal: () => member.cont() };
      },
    },
    {
      kind: 'member isolated',
      takes: 'database',
      stops: 'everything',
      isFor: (world) => isCluster(world) && world.engine.can.isolate,
      inject: async (world, random) => {
        const member = random.pick(world.engine.members);
        await member.isolate();
        await someoneWrites(world);
        return {
          ...away(member, 'parted from the others', random.between(2_000, 8_000)),
          heal: () => member.rejoin(),
        };
      },
    },
  ];
}

export const isCluster = ({ engine }: FaultWorld): boolean => engine.members.length > 1;
export const isSingle = (world: FaultWorld): boolean => !isCluster(world);

export function onlyMember(world: FaultWorld): EngineMember {
  const [member] = world.engine.members;
  if (member === undefined) throw new Error('an engine without members');
  return member;
}

function away(member: EngineMember, detail: string, lastsMs: number) {
  return { target: member.name, detail, lastsMs };
}

/** Until the failover is over. */
async function someoneWrites({ engine }: FaultWorld): Promise<void> {
  const began = performance.now();
  while ((await engine.writable()).length === 0) {
    if (performance.now() - began > 2 * engine.failoverMsMax) {
      throw new Error(`no member took writes within ${2 * engine.failoverMsMax} ms`);
    }
    await sleep(200);
  }
}
