import type { IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import { AddressRanges, familyOf, withoutZone } from '../../domain/access/addressRanges.ts';
import { hashSecret, isSameHash } from '../../store/tokens/tokenText.ts';
import type { PeopleSettings, ProxySettings } from '../server/proxySettings.ts';

/** Where a request comes from, before anybody is looked up. */
export interface Client {
  /** Its address; behind a proxy that is believed, the one that the proxy names. */
  readonly address: string;
  /** Whom such a proxy names, as it writes it; null: nobody. */
  readonly person: NamedPerson | null;
}

/** The lines of the headers that say who somebody is, each as it came. */
export interface NamedPerson {
  readonly names: readonly string[];
  readonly groupLists: readonly string[];
}

/** By this header a proxy shows that it is the one, and not another program behind its address. */
export const proxySecretHeader = 'x-statecron-proxy-secret';

/** Finds out where requests come from. What a proxy says counts only when it is a trusted one. */
export class ClientReader {
  readonly #proxies: AddressRanges;
  readonly #people: PeopleSettings | null;
  readonly #secretHash: Uint8Array | null;

  /** @param proxy null: nothing is believed of any */
  constructor(proxy: ProxySettings | null) {
    this.#proxies = new AddressRanges(proxy?.from ?? []);
    this.#people = proxy?.people ?? null;
    const secret = this.#people?.secret ?? null;
    this.#secretHash = secret === null ? null : hashSecret(secret);
  }

  read(request: IncomingMessage | undefined): Client {
    const given = request?.socket.remoteAddress;
    if (request === undefined || given === undefined) return { address: 'unknown', person: null };
    const peer = plainAddress(given);
    const isBelieved = this.#proxies.has(peer) && isWhole(request) && this.#knowsSecret(request);
    if (!isBelieved) return { address: given, person: null };
    const forwarded = linesOf(request, 'x-forwarded-for').join(',');
    return { address: this.#originOf(peer, forwarded), person: this.#personOf(request, peer) };
  }

  #knowsSecret(request: IncomingMessage): boolean {
    if (this.#secretHash === null) return true;
    const [secret, ...others] = linesOf(request, proxySecretHeader);
    const isOne = secret !== undefined && others.length === 0;
    return isOne && isSameHash(hashSecret(secret), this.#secretHash);
  }

  /** Each proxy adds at the end whom it heard from: the last that is none of them is the client. */
  #originOf(peer: string, forwarded: string): string {
    let address = peer;
    for (const entry of forwarded.split(',').reverse()) {
      const before = addressIn(entry.trim());
      if (before === null || !this.#proxies.has(address)) break;
      address = before;
    }
    return address;
  }

  /** Programs of this machine, the jobs as well, have its addresses: theirs is no proof. */
  #personOf(request: IncomingMessage, peer: string): NamedPerson | null {
    if (this.#people === null || (this.#secretHash === null && isOwnAddress(peer))) return null;
    const { groupsHeader, userHeader } = this.#people;
    const names = linesOf(request, userHeader);
    // Proxies send an empty one of somebody who has not logged in.
    if (names.every((name) => name === '') && names.length < 2) return null;
    return { names, groupLists: groupsHeader === null ? [] : linesOf(request, groupsHeader) };
  }
}

/** Whether a program of this machine can have it as its own. */
export function isOwnAddress(address: string): boolean {
  return ownAddresses().includes(address) || address.startsWith('127.');
}

/** The addresses of this machine as they are now. */
export function ownAddresses(): string[] {
  const cards = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return ['127.0.0.1', '::1', ...cards.map(({ address }) => withoutZone(address))];
}

/** An address of IPv4 has two forms on a socket of IPv6. */
function plainAddress(address: string): string {
  return withoutZone(address.replace(/^::ffff:(?=\d+\.)/i, ''));
}

/** The address in an entry of X-Forwarded-For, which some write with its port; null: none. */
function addressIn(entry: string): string | null {
  const match = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(entry);
  const address = plainAddress(match?.[1] ?? match?.[2] ?? entry);
  return familyOf(address) === null ? null : address;
}

/**
 * Node drops the last of very many headers: those that a proxy adds behind what its client has
 * sent, so that the client's own would be believed instead.
 */
function isWhole({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length < rawHeadersMax;
}

/** Names and values; Node 20 to 24 keep a little more. */
const rawHeadersMax = 2_000;

/** What each line of a header says: Node makes one of several, or drops the second. */
function linesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const wanted = name.toLowerCase();
  return rawHeaders.filter(
    (_, place) => place % 2 === 1 && rawHeaders[place - 1]?.toLowerCase() === wanted,
  );
}
