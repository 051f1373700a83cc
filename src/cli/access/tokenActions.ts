import type { Role } from '../../domain/access/role.ts';
import { parseDuration } from '../../domain/time/duration.ts';
import { parseInstant } from '../../domain/time/parseInstant.ts';
import { checkToken } from '../../store/tokens/checkToken.ts';
import { printList } from '../connect/printList.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printLine, printNote, shortTime } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';

interface TokenOptions extends ClusterOptions {
  readonly json?: boolean;
}

interface AddTokenOptions extends TokenOptions {
  readonly role: Role;
  readonly group?: readonly string[];
  readonly expires?: string;
}

/** `token add`. */
export async function addTokenAction(name: string, options: AddTokenOptions): Promise<void> {
  const { group, role } = options;
  const groups = group === undefined ? null : [...new Set(group)].sort();
  const expiresMs = readExpiry(options.expires);
  const [fault] = checkToken({ name, groups });
  if (fault !== undefined) {
    const flag = fault.field === 'name' ? 'NAME' : '--group';
    throw usageFault(`${flag}: ${fault.message}.`, seeAdd);
  }
  const wishes = { name, role, groups, expiresMs };
  const added = await withOperator(options, (operator) => operator.addToken(wishes));
  if (options.json) {
    printJson(added);
    return;
  }
  // Alone on stdout, so that it can go where it is wanted and nowhere else.
  if (added.secret !== null) printLine(added.secret);
  printNote(`The token ${name} is made (${role}). It is shown this once.`);
}

/** `token list`. */
export async function listTokensAction(options: TokenOptions): Promise<void> {
  await printList(options, {
    ask: (operator) => operator.listTokens(),
    none: 'There are no tokens. Make one: statecron token add NAME',
    headings: ['NAME', 'ID', 'ROLE', 'MADE', 'EXPIRES', 'GROUPS'],
    rowOf: ({ expiresAt, expired, groups, madeAt, name, role, tokenId }) => [
      ...[name, tokenId, role, shortTime(madeAt)],
      expiresAt === null ? 'never' : `${shortTime(expiresAt)}${expired ? ' (expired)' : ''}`,
      groups === null ? 'all' : groups.join(', '),
    ],
  });
}

/** `token revoke`. */
export async function revokeTokenAction(name: string, options: TokenOptions): Promise<void> {
  const revoked = await withOperator(options, (operator) => operator.revokeToken(name));
  if (options.json) printJson(revoked);
  else printLine(`Revoked ${revoked.name}.`);
}

/** By this machine's clock, which is near enough for days. */
function readExpiry(text: string | undefined): number | null {
  if (text === undefined) return null;
  const instantMs = parseInstant(text);
  const forMs = instantMs === null ? parseDuration(text) : null;
  const expiresMs = typeof forMs === 'number' ? Date.now() + forMs : instantMs;
  if (expiresMs !== null && expiresMs > Date.now() && expiresMs < latestMs) return expiresMs;
  throw usageFault('--expires: a time to come is wanted, as 2030-01-31T09:30:00Z or 90d.', seeAdd);
}

/** What the database's column can hold. */
const latestMs = Date.UTC(9999, 0, 1);

const seeAdd = 'See: statecron token add --help';
