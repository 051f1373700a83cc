import type { Role } from '../../domain/access/role.ts';
import { parseDuration } from '../../domain/time/duration.ts';
import { parseInstant } from '../../domain/time/parseInstant.ts';
import { checkToken } from '../../store/tokens/addToken.ts';
import { printAnswer, printList } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { localTimezone } from '../output/formatInstant.ts';
import { printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { instantCell, stateCell } from '../output/table/cells.ts';
import type { TableOptions } from '../output/table/printTable.ts';

interface AddTokenOptions extends ClusterOptions {
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
  await printAnswer(
    options,
    (operator) => operator.addToken({ name, role, groups, expiresMs }),
    ({ secret }) => {
      // Alone on stdout, so that it can be redirected to a file.
      if (secret !== null) printLine(secret);
      printNote(`The token ${name} was created (${role}). It is shown only this once.`);
    },
  );
}

/** `token list`. */
export async function listTokensAction(options: ClusterOptions & TableOptions): Promise<void> {
  const zone = localTimezone();
  await printList(options, {
    read: (operator) => operator.listTokens(),
    empty: 'There are no tokens. Make one: statecron token add NAME',
    columns: [
      { heading: 'NAME', of: ({ name }) => name, cutTo: 16 },
      { heading: 'ID', of: ({ tokenId }) => tokenId },
      { heading: 'ROLE', of: ({ role }) => role },
      { heading: 'MADE', of: ({ madeAt }) => instantCell(madeAt, zone), rank: 2 },
      {
        heading: 'EXPIRES',
        of: ({ expiresAt, expired }) => {
          if (expiresAt === null) return 'never';
          return expired ? stateCell('expired') : instantCell(expiresAt, zone);
        },
      },
      {
        heading: 'GROUPS',
        of: ({ groups }) => (groups === null ? 'all' : groups.join(', ')),
        rank: 1,
        cutTo: 12,
      },
    ],
  });
}

/** `token revoke`. */
export async function revokeTokenAction(name: string, options: ClusterOptions): Promise<void> {
  await printAnswer(
    options,
    (operator) => operator.revokeToken(name),
    (revoked) => printLine(`Revoked ${revoked.name}.`),
  );
}

/** By this machine's clock, which is near enough for days. */
function readExpiry(text: string | undefined): number | null {
  if (text === undefined) return null;
  const instantMs = parseInstant(text);
  const forMs = instantMs === null ? parseDuration(text) : null;
  const expiresMs = typeof forMs === 'number' ? Date.now() + forMs : instantMs;
  if (expiresMs !== null && expiresMs > Date.now() && expiresMs < latestMs) return expiresMs;
  throw usageFault(
    '--expires: an instant to come or a duration is required, as 2030-01-31T09:30:00Z or 90d.',
    seeAdd,
  );
}

/** What the database's column can hold. */
const latestMs = Date.UTC(9999, 0, 1);

const seeAdd = 'See: statecron token add --help';
