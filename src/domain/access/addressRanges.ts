import { BlockList, isIP, isIPv4 } from 'node:net';

/** Addresses and ranges of them (`10.1.0.0/16`), of IPv4 and IPv6 each by itself. */
export class AddressRanges {
  /** One for each family: in a list of both, what is mapped into v6 would hold for all of v4. */
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** @throws RangeError when one of them is no address or range. */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) this.#add(range);
  }

  /** False, too, for what is no address. */
  has(address: string): boolean {
    const family = familyOf(address);
    return family !== null && this.#lists[family].check(address, family);
  }

  #add(range: string): void {
    const [base = '', length, ...others] = range.split('/');
    const family = familyOf(base);
    const isRange = /^\d{1,3}$/.test(length ?? '1') && others.length === 0;
    if (family === null || !isRange) throw new RangeError(`${range} is no range`);
    if (length === undefined) this.#lists[family].addAddress(base, family);
    else this.#lists[family].addSubnet(base, Number(length), family);
  }
}

/** What is wrong with an address or range, or null. */
export function checkAddressRange(range: string): string | null {
  try {
    new AddressRanges([range]);
    return null;
  } catch {
    // Whatever the built-in has against it: it is no address for our purpose.
    return `${JSON.stringify(range)} is no address or range such as 10.1.0.0/16`;
  }
}

/** An address without its zone (`fe80::1%eth0`), which names an interface and no host. */
export function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}

export function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  if (isIP(address) === 0) return null;
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}
