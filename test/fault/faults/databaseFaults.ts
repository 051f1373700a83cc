import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineMember, FaultEngine } from '../engines/faultEngine.ts';
import { bootNowMs } from '../world/bootNow.ts';
import { type FaultKind, type FaultWorld, nothingToHeal } from '../world/faultWorld.ts';

/** Faults of the server's process, on engines of one server. */
export function databaseFaults(): FaultKind[] {
  return [
    {
      kind: 'database killed and started',
      takes: 'database',
      stops: 'everything',
      needs: ['server'],
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
      needs: ['server'],
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
      needs: ['server'],
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
    memberFault({
      kind: 'member that takes writes killed',
      how: 'SIGKILL',
      lastsMs: [500, 4_000],
      candidates: ({ engine }) => engine.writable(),
      harm: (member) => member.kill(),
      undo: (member) => member.start(),
    }),
    memberFault({
      kind: 'member restarted',
      how: 'SIGTERM',
      lastsMs: [0, 0],
      harm: (member) => member.restart(),
      undo: (member) => member.start(),
    }),
    memberFault({
      kind: 'member frozen',
      how: 'SIGSTOP',
      lastsMs: [500, 6_000],
      // One that stands still for less than the others wait for it is no loss to them.
      isWaitedFor: false,
      harm: (member) => member.stop(),
      undo: (member) => member.cont(),
    }),
    memberFault({
      kind: 'member isolated',
      how: 'parted from the others',
      lastsMs: [2_000, 8_000],
      isFor: ({ engine }) => engine.can.isolate,
      harm: (member) => member.isolate(),
      undo: (member) => member.rejoin(),
    }),
  ];
}

interface MemberFault {
  readonly kind: string;
  readonly how: string;
  readonly lastsMs: readonly [number, number];
  /** It lasts so long after the failover; absent: true. */
  readonly isWaitedFor?: boolean;
  isFor?(world: FaultWorld): boolean;
  /** Of whom one is chosen; absent: of all. */
  candidates?(world: FaultWorld): Promise<EngineMember[]>;
  harm(member: EngineMember): Promise<void>;
  undo(member: EngineMember): Promise<void>;
}

function memberFault(fault: MemberFault): FaultKind {
  const { kind, how, lastsMs, isWaitedFor = true } = fault;
  return {
    kind,
    takes: 'database',
    stops: 'everything',
    isFor: (world) => isCluster(world) && fault.isFor?.(world) !== false,
    inject: async (world, random) => {
      const { engine } = world;
      const candidates = (await fault.candidates?.(world)) ?? engine.members;
      if (candidates.length === 0) return null;
      const member = random.pick(candidates);
      const injection = {
        target: member.name,
        fromMs: bootNowMs(),
        heal: () => fault.undo(member),
        recover: () => makeWhole(engine),
      };
      try {
        await fault.harm(member);
        if (isWaitedFor) await someoneWrites(engine);
      } catch (error) {
        // Half done, or worse than was meant: it is a fault all the same, and is healed at once.
        return { ...injection, detail: `${how}; ${(error as Error).message}`, lastsMs: 0 };
      }
      return { ...injection, detail: how, lastsMs: random.between(...lastsMs) };
    },
  };
}

export const isCluster = ({ engine }: FaultWorld): boolean => engine.members.length > 1;
export const isSingle = (world: FaultWorld): boolean => !isCluster(world);

export function onlyMember(world: FaultWorld): EngineMember {
  const [member] = world.engine.members;
  if (member === undefined) throw new Error('an engine without members');
  return member;
}

/**
 * A member that was away is not back as soon as it may be. Until it is, the loss of another one is
 * the loss of the majority, after which nobody takes writes until somebody says so.
 */
async function makeWhole({ members }: FaultEngine): Promise<void> {
  for (const member of members) await member.start();
  for (const member of members) await member.rejoin();
}

/** Until the failover is over. */
async function someoneWrites(engine: FaultEngine): Promise<void> {
  const began = performance.now();
  while ((await engine.writable()).length === 0) {
    if (performance.now() - began > 2 * engine.failoverMsMax) {
      throw new Error(`no member took writes within ${2 * engine.failoverMsMax} ms`);
    }
    await sleep(200);
  }
}
