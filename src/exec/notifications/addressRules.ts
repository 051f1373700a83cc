import { AddressRanges, familyOf, withoutZone } from '../../domain/access/addressRanges.ts';

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
  const exceptions = new AddressRanges(allowed);
  return {
    whyDenied: (given) => {
      const address = withoutZone(given);
      const family = familyOf(address);
      if (family === null) return 'it is no address';
      if (exceptions.has(address)) return null;
      // What is no global unicast is denied whole, so that a new special range is not forgotten.
      const isOutside = family === 'ipv4' || globalUnicast.has(address);
      return denied.has(address) || !isOutside ? 'it is private, local or reserved' : null;
    },
  };
}

const globalUnicast = new AddressRanges(['2000::/3']);

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
const denied = new AddressRanges(deniedRanges.trim().split(/\s+/));
