import { allStripes, sessionLockId, stripeCount } from '../../src/domain/run/stripes.ts';
import type { FaultRecord } from '../checkers/history.ts';
import type { NodeWire, WireFault } from './nodeWire.ts';
import type { PlannedFault } from './scenario.ts';
import type { SimulatedHost } from './simulatedHost.ts';
import type { ServerSession } from './store/memoryServer.ts';
import type { World } from './world.ts';

/** What faults are done to. */
export interface FaultTargets {
  readonly world: World;
  readonly hosts: ReadonlyMap<string, SimulatedHost>;
  readonly operatorWire: NodeWire;
  /** The database's clock is about to be stepped, or just was. */
  readonly noteClock: () => void;
}

/** Injects a fault now; what it returns heals it. */
export function injectFault(targets: FaultTargets, fault: PlannedFault): () => void {
  const { world, hosts, operatorWire } = targets;
  const host = hosts.get(fault.target);
  const wire = fault.target === 'operator' ? operatorWire : host?.wire;
  const nothing = (): void => undefined;
  switch (fault.kind) {
    case 'partition':
      return wire === undefined ? nothing : partition(wire);
    case 'reply lost':
    case 'request lost':
      return addFault(wire, { fate: fault.kind, share: fault.size });
    case 'commit delayed':
      return addFault(wire, { fate: 'delayed', share: fault.size });
    case 'commit conflicts':
      return addFault(wire, { fate: 'conflicted', share: fault.size });
    case 'statement refused':
      return addFault(wire, { fate: 'refused', share: fault.size });
    case 'node killed':
      host?.killNode();
      return nothing;
    case 'node frozen':
      host?.freeze();
      return () => host?.thaw();
    case 'node drained':
      host?.drain();
      return () => host?.drain();
    case 'guardian killed':
      host?.killGuardian();
      return nothing;
    case 'broken invariant':
      world.brokenNodes.add(fault.target);
      return () => world.brokenNodes.delete(fault.target);
    case 'clock stepped':
      stepClock(targets, fault.size);
      return nothing;
    default:
      return injectDatabaseFault(world, fault);
  }
}

/**
 * What may be late because of it, for the judge. A command that is cut off in its transaction holds
 * the stripe of whatever job it is about.
 */
export function stopsOf({ target }: PlannedFault): FaultRecord['stops'] {
  return target === 'database' || target === 'operator' ? 'everything' : 'node';
}

function injectDatabaseFault({ server }: World, fault: PlannedFault): () => void {
  const missing = Math.round(fault.size) % (stripeCount + 1);
  switch (fault.kind) {
    case 'database stopped':
      server.stop();
      return () => server.resume();
    case 'database crashed':
      server.crash();
      return () => server.resume();
    case 'stripes held': {
      const stripes = [...allStripes];
      const every = Math.max(1, Math.round(fault.size));
      return hold(
        server,
        stripes.filter((stripe) => stripe % every === 0),
      );
    }
    case 'session lock held':
      return hold(server, [sessionLockId]);
    case 'lock row missing':
      server.missingLocks.add(missing);
      return () => server.missingLocks.delete(missing);
    default:
      throw new Error(`no database fault: ${fault.kind}`);
  }
}

function addFault(wire: NodeWire | undefined, fault: WireFault): () => void {
  wire?.faults.add(fault);
  return () => wire?.faults.delete(fault);
}

/** Two partitions of one way may overlap: it is up again when the last one ends. */
function partition(wire: NodeWire): () => void {
  wire.cuts += 1;
  return () => {
    wire.cuts -= 1;
  };
}

function stepClock({ world, noteClock }: FaultTargets, byMs: number): void {
  noteClock();
  world.server.stepClock(byMs);
  noteClock();
}

/** Somebody else's transaction that holds locks, as soon as it gets them. */
function hold(server: World['server'], locks: readonly number[]): () => void {
  const session: ServerSession = server.open(Number.POSITIVE_INFINITY, () => undefined);
  let isOver = false;
  for (const lock of locks) {
    server.locks
      .take(session, lock, 60_000)
      ?.then(() => {
        if (isOver) server.locks.release(session);
      })
      .catch(() => undefined); // it never got it, which is as well
  }
  return () => {
    isOver = true;
    server.close(session);
  };
}
