import { BlockList, isIP, isIPv4 } from 'node:net';

/** Who may be sent to at all: everybody outside, and inside only those who were allowed by name. */
export interface AddressRules {
  /** Why nothing is sent to the address, or null: it may be. */
  whyDenied(address: string): string | null;
}

/**
 * The rules for URLs that come from whoever may edit targets: such a URL must not lead to the node
 * itself, its own network, or the service that hands out the machine's credentials.
 * @param allowed addresses and ranges (`10.1.0.0/16`) that are allowed all the same
 * @throws RangeError when one of them is no address or range.
 */
export function makeAddressRules(allowed: readonly string[] = []): AddressRules {
  const denied = listsOf(deniedRanges.trim().split(/\s+/));
  const exceptions = listsOf(allowed);
  return {
    whyDenied: (given) => {
      // Without its zone (`fe80::1%eth0`), which names an interface and no host.
      const address = given.replace(/%.*$/, '');
      const family = familyOf(address);
      if (family === null) return 'it is no address';
      if (exceptions[family].check(address, family)) return null;
      const isInside = denied[family].check(address, family);
      // What is no global unicast is denied whole, so that a new special range is not forgotten.
      const isOutside = family === 'ipv4' || globalUnicast.check(address, 'ipv6');
      return isInside || !isOutside ? 'it is private, local or reserved' : null;
    },
  };
}

/** What is wrong with an address or range for `makeAddressRules`, or null. */
export function checkAddressRange(range: string): string | null {
  try {
    listsOf([range]);
    return null;
  } catch {
    // Whatever the built-in has against it: it is no address for our purpose.
    return `${JSON.stringify(range)} is no address or range such as 10.1.0.0/16`;
  }
}

/** One for each family: in a list of both, what is mapped into v6 would hold for all of v4. */
function listsOf(ranges: readonly string[]): Record<'ipv4' | 'ipv6', BlockList> {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) addRange(lists, range);
  return lists;
}

function addRange(lists: Record<'ipv4' | 'ipv6', BlockList>, range: string): void {
  const [base = '', length, ...others] = range.split('/');
  const family = familyOf(base);
  const isRange = /^\d{1,3}$/.test(length ?? '1') && others.length === 0;
  if (family === null || !isRange) throw new RangeError(`${range} is no range`);
  if (length === undefined) lists[family].addAddress(base, family);
  else lists[family].addSubnet(base, Number(length), family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  if (isIP(address) === 0) return null;
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/**
 * IANA's special-purpose registries, and clouds' own addresses that are not in them. Ranges of IPv6
 * that have an address of IPv4 in them are denied whole.
 */
const deniedRanges = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  ::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16
  3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8
`;
