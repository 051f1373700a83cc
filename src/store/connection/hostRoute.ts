import type { DatabaseAddress } from './databaseAddress.ts';

/**
 * Which of an address's hosts its channels use now. They share it: when one learns that a member
 * takes no writes any more (the heartbeat does within a period), the others leave it too, else one
 * that only reads would look at a replica that lags, or was parted from the rest, for ever, and a
 * node would see nothing due. With a single host a new connection is what leads on, since the name
 * may have moved.
 */
export class HostRoute {
  readonly #hosts: DatabaseAddress['hosts'];
  #turn = 0;
  #unfitTurn = -1;

  constructor(hosts: DatabaseAddress['hosts']) {
    this.#hosts = hosts;
  }

  /** Counts up with every host that was left; what a connection was opened at. */
  get turn(): number {
    return this.#turn;
  }

  /** Where a connection is to be opened now. */
  place(): DatabaseAddress['hosts'][number] | undefined {
    return this.#hosts[this.#turn % this.#hosts.length];
  }

  /** How many hosts are worth a try. */
  get length(): number {
    return this.#hosts.length;
  }

  /** The host of this turn did not answer; the next one may. */
  leave(turn: number): void {
    if (turn === this.#turn) this.#turn += 1;
  }

  /** The server said itself that it takes no writes: every connection of this turn is to go. */
  declareUnfit(turn: number): void {
    this.#unfitTurn = Math.max(this.#unfitTurn, turn);
    this.leave(turn);
  }

  isUnfit(turn: number): boolean {
    return turn <= this.#unfitTurn;
  }
}

const routes = new WeakMap<DatabaseAddress, HostRoute>();

/** The one route of an address. */
export function routeOf(address: DatabaseAddress): HostRoute {
  const known = routes.get(address) ?? new HostRoute(address.hosts);
  routes.set(address, known);
  return known;
}
