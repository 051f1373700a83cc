import type { Socket } from 'node:net';
import { busy, type RetryLater, tooManyRequests } from '../problems/retryLater.ts';
import { isBusy } from './loneRequest.ts';
import { networkOf } from './networkOf.ts';

/** So many more get the reason of their refusal; whoever comes beside them is cut off. */
const refusedMax = 64;
/** How long one of them may take to say what it came for. */
const refusedMs = 2_000;
const retryAfterMs = 5_000;

const refusals = new WeakMap<Socket, RetryLater>();

/** Why requests of this connection are refused, whatever they are; undefined: they are not. */
export function refusalOf(socket: Socket): RetryLater | undefined {
  return refusals.get(socket);
}

interface ConnectionLimits {
  readonly connectionsMax: number;
  /** Of one address, or of one network of IPv6. */
  readonly connectionsPerAddressMax: number;
}

/**
 * How many connections there are, in all and of each address. Where there are as many as there may
 * be, one on which no request waits, the oldest, makes room for whoever comes: who holds
 * connections and says nothing holds nobody up. Only when all of them are being answered the one
 * that came is refused.
 */
export class ConnectionBounds {
  readonly #limits: ConnectionLimits;
  /** The oldest first. */
  readonly #byAddress = new Map<string, Set<Socket>>();
  #count = 0;
  #refused = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Takes a connection in, or sees to it that it is refused. */
  add(socket: Socket): void {
    const { connectionsMax, connectionsPerAddressMax } = this.#limits;
    const address = networkOf(socket.remoteAddress ?? 'unknown');
    if (this.#sizeOf(address) >= connectionsPerAddressMax && !this.#makeRoom(address)) {
      const many = 'This address has as many connections as it may, and all are being answered.';
      this.#refuse(socket, tooManyRequests(many, retryAfterMs));
      return;
    }
    if (this.#count >= connectionsMax && !this.#makeRoomAnywhere()) {
      this.#refuse(socket, busy('This node has as many connections as it may.', retryAfterMs));
      return;
    }
    this.#count += 1;
    const own = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, own.add(socket));
    socket.once('close', () => this.#remove(address, socket));
  }

  /** Ends the oldest connection of an address that waits for nothing; false: there is none. */
  #makeRoom(address: string): boolean {
    for (const socket of this.#byAddress.get(address) ?? []) {
      if (isBusy(socket)) continue;
      this.#remove(address, socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  /** First of the address with the most. */
  #makeRoomAnywhere(): boolean {
    if (this.#makeRoom(this.#largest())) return true;
    return [...this.#byAddress.keys()].some((address) => this.#makeRoom(address));
  }

  /** The address with the most. */
  #largest(): string {
    let largest = '';
    for (const address of this.#byAddress.keys()) {
      if (this.#sizeOf(address) > this.#sizeOf(largest)) largest = address;
    }
    return largest;
  }

  #sizeOf(address: string): number {
    return this.#byAddress.get(address)?.size ?? 0;
  }

  #refuse(socket: Socket, why: RetryLater): void {
    if (this.#refused >= refusedMax) {
      socket.destroy();
      return;
    }
    refusals.set(socket, why);
    this.#refused += 1;
    const timer = setTimeout(() => socket.destroy(), refusedMs);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#refused -= 1;
    });
  }

  #remove(address: string, socket: Socket): void {
    const own = this.#byAddress.get(address);
    if (own?.delete(socket) !== true) return;
    this.#count -= 1;
    if (own.size === 0) this.#byAddress.delete(address);
  }
}
