import { AddressRanges, checkAddressRange } from '../../domain/access/addressRanges.ts';
import { type Role, roles } from '../../domain/access/role.ts';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { checkGroupName } from '../../domain/job/fieldTable/checkNames.ts';
import { isOwnAddress, ownAddresses, proxySecretHeader } from '../../http/authentication/client.ts';
import type { PeopleSettings, ProxySettings, Right } from '../../http/server/proxySettings.ts';
import { custom, type FlagsOf, flagOf, list, nodeFault } from './optionTable.ts';
import { isSet, readSecret } from './readSecret.ts';

/** Which reverse proxies a node believes, and what people may do whom these let in. */
export const proxyOptions = {
  proxyFrom: list('range', 'a proxy that is believed, an address or range; may be repeated'),
  proxyUserHeader: custom('name', 'the header in which it names the user, as X-Forwarded-User'),
  proxyGroupsHeader: custom('name', "the header in which it lists the user's groups"),
  proxyRole: list(
    'group=role',
    'the role of one of its groups, for every job or (GROUP=ROLE:web,shop) those of some groups; ' +
      'may be repeated',
  ),
  proxyUser: list('user=role', 'the same of one user; may be repeated'),
  proxyDefaultRole: custom('role', 'the role of all others whom it lets in (none)'),
  proxySecretFile: custom(
    'file',
    'a file with what it sends as X-Statecron-Proxy-Secret; required of one on this machine',
  ),
};

type ProxyFlags = FlagsOf<typeof proxyOptions>;

/**
 * What is believed of proxies; null: nothing.
 * @throws OperatorError (2, 78) that names the flag.
 */
export function readProxy(flags: ProxyFlags): ProxySettings | null {
  const { proxyFrom: from = [], proxyUserHeader } = flags;
  if (from.length === 0) {
    refuseAlone(flags, ['proxyFrom']);
    return null;
  }
  for (const range of from) {
    // A peer of IPv4 is one of IPv4, whatever the socket is.
    const isMapped = range.toLowerCase().startsWith('::ffff:');
    const fault = isMapped ? 'write an address of IPv4 as 10.1.2.3' : checkAddressRange(range);
    if (fault !== null) throw nodeFault(`--proxy-from: ${fault}.`);
  }
  if (proxyUserHeader === undefined) {
    refuseAlone(flags, ['proxyUserHeader', 'proxyFrom']);
    return { from, people: null };
  }
  const people = readPeople(proxyUserHeader, flags);
  if (people.secret === null && from.some(isOfThisMachine)) throw withoutSecret();
  return { from, people };
}

/** Flags that mean nothing without the first of some others. */
function refuseAlone(flags: ProxyFlags, others: readonly (keyof ProxyFlags)[]): void {
  const keys = Object.keys(proxyOptions) as (keyof ProxyFlags)[];
  const given = keys.find((key) => !others.includes(key) && flags[key] !== undefined);
  const [needed] = others;
  if (given === undefined || needed === undefined) return;
  throw nodeFault(`${flagOf(given)}: it needs ${flagOf(needed)} as well.`);
}

function readPeople(userHeader: string, flags: ProxyFlags): PeopleSettings {
  const { proxyGroupsHeader: groupsHeader = null, proxyRole = [], proxyUser = [] } = flags;
  const { proxyDefaultRole: defaultRole = null, proxySecretFile } = flags;
  checkHeader('--proxy-user-header', userHeader);
  if (groupsHeader !== null) checkHeader('--proxy-groups-header', groupsHeader);
  if (groupsHeader?.toLowerCase() === userHeader.toLowerCase()) {
    throw nodeFault('--proxy-groups-header: it has to be another header than that of the user.');
  }
  if (groupsHeader === null && proxyRole.length > 0) {
    throw nodeFault('--proxy-role: groups need their header as well, --proxy-groups-header NAME.');
  }
  if (defaultRole !== null && !isRole(defaultRole)) {
    throw nodeFault(`--proxy-default-role: ${roles.join(', ')} are the roles.`);
  }
  const rights = [
    ...proxyRole.map((text) => readRight('--proxy-role', 'group', text)),
    ...proxyUser.map((text) => readRight('--proxy-user', 'user', text)),
  ];
  return {
    userHeader,
    groupsHeader,
    rights,
    defaultRole,
    secret: readProxySecret(proxySecretFile),
  };
}

/** `NAME=ROLE` or `NAME=ROLE:GROUP,GROUP`. Names may have an = in them, roles have none. */
function readRight(flag: string, of: Right['of'], text: string): Right {
  const match = /^(.+?)=([a-z]+)(?::(.*))?$/.exec(text);
  const [, name = '', role = '', list] = match ?? [];
  if (!isRole(role)) throw nodeFault(`${flag}: write NAME=ROLE, of ${roles.join(', ')}.`);
  const groups = list?.split(',') ?? null;
  const fault = groups?.map(checkGroupName).find((each) => each !== null) ?? null;
  if (fault !== null) throw nodeFault(`${flag}: ${fault}.`);
  return { of, name, role, groups };
}

function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}

/** What browsers, clients and this node itself write is none that a proxy alone does. */
const takenHeaders = new Set([
  ...['authorization', 'cookie', 'host', 'origin', 'referer', 'user-agent', 'x-forwarded-for'],
  ...['content-type', 'content-length', 'if-match', 'idempotency-key', proxySecretHeader],
]);

function checkHeader(flag: string, name: string): void {
  if (/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name) && !takenHeaders.has(name.toLowerCase())) return;
  throw nodeFault(`${flag}: the name of a header such as X-Forwarded-User is required.`);
}

const secretCharactersMin = 32;

function readProxySecret(file: string | undefined): string | null {
  if (!isSet(file)) return null;
  const secret = readSecret(file, 'the secret of the proxy');
  if (/^[\x21-\x7e]+$/.test(secret) && secret.length >= secretCharactersMin) return secret;
  const wanted = `at least ${secretCharactersMin} visible ASCII characters`;
  throw nodeFault(`--proxy-secret-file: ${wanted} are required; openssl rand -hex 32 makes some.`);
}

function isOfThisMachine(range: string): boolean {
  return isOwnAddress(range) || ownAddresses().some((own) => new AddressRanges([range]).has(own));
}

function withoutSecret(): OperatorError {
  return new OperatorError({
    code: 'proxy_secret',
    message:
      '--proxy-from has an address of this machine, and any program here, jobs too, could say ' +
      'that it is the proxy.',
    hint: 'Let the proxy send a secret: --proxy-secret-file FILE; see statecron docs production',
    exitCode: exitCodes.configuration,
  });
}
