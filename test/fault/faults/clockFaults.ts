import type { FaultKind, FaultWorld } from '../world/faultWorld.ts';
import { isSingle, onlyMember } from './databaseFaults.ts';

const hourSeconds = 3_600;

/** Wall clocks that are wrong: by an hour, by a little for a while, the database's too. */
export function clockFaults(): FaultKind[] {
  return [
    nodeClock('node clock stepped by an hour', [-hourSeconds, hourSeconds], [2_000, 8_000]),
    nodeClock('node clock skewed', [-75, -3, -1, 1, 2, 40, 90], [4_000, 12_000]),
    databaseClock,
  ];
}

function nodeClock(
  kind: string,
  offsets: readonly number[],
  lasts: readonly [number, number],
): FaultKind {
  return {
    kind,
    takes: 'nothing',
    // The database's clock says what is due: a node's own may be as wrong as it likes.
    stops: 'nothing',
    needs: ['restarts'],
    missing: ({ nodes }) => (nodes.every(({ hasOwnClock }) => hasOwnClock) ? null : noFaketime),
    inject: async (world, random) => {
      const node = random.pick(world.nodes);
      const offset = random.pick(offsets);
      await node.setClock(offset);
      return {
        target: node.name,
        detail: `${offset > 0 ? '+' : ''}${offset} s`,
        lastsMs: random.between(...lasts),
        heal: () => node.setClock(0),
      };
    },
  };
}

/**
 * Back by up to an hour, or ahead by a few seconds: after the end of a step ahead nothing is due
 * for as long, so that a long one would leave nothing to watch.
 */
const databaseClock: FaultKind = {
  kind: 'database clock stepped',
  takes: 'database',
  stops: 'everything',
  needs: ['server'],
  isFor: isSingle,
  missing: ({ engine }) => (engine.can.stepClock ? null : noClock),
  inject: async (world, random) => {
    const offsetMs = random.pick([-hourSeconds * 1000, -30_000, -2_000, 1_000, 3_000]);
    await step(world, offsetMs);
    return {
      target: 'database',
      detail: `${offsetMs > 0 ? '+' : ''}${offsetMs / 1000} s`,
      lastsMs: random.between(500, 3_000),
      heal: () => step(world, 0),
    };
  },
};

/** A sample before and one after, so that the judge knows when it was. */
async function step(world: FaultWorld, offsetMs: number): Promise<void> {
  await world.clock.sample();
  await onlyMember(world).stepClock(offsetMs);
  await world.clock.sample();
}

const noClock = 'libfaketime is not there, or the server does not start with it';
const noFaketime = 'libfaketime is not there';
