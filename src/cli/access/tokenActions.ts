import type { Role } from '../../domain/access/role.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { PauseEnd } from '../../store/jobs/changes/changeJob.ts';
import { checkToken } from '../../store/tokens/addToken.ts';
import { meantJobGroup, requireJobGroup } from '../connect/requireJobGroup.ts';
import { printAnswer, printList } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import type { readEnd } from '../options/readTime.ts';
import { formatInstant, localTimezone } from '../output/formatInstant.ts';
import { printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { instantCell, stateCell } from '../output/table/cells.ts';
import type { TableOptions } from '../output/table/printTable.ts';

interface AddTokenOptions extends ClusterOptions {
  readonly role: Role;
  readonly group?: readonly string[];
  readonly expires?: ReturnType<typeof readEnd>;
}

/** `token add`. */
export async function addTokenAction(name: string, options: AddTokenOptions): Promise<void> {
  const { group, role } = options;
  const groups = group === undefined ? null : [...new Set(group)].sort();
  const expiresMs = readExpiry(options.expires?.());
  const [fault] = checkToken({ name, groups });
  if (fault !== undefined) {
    const flag = fault.field === 'name' ? 'NAME' : '--group';
    throw usageFault(`${flag}: ${fault.message}.`, seeAdd);
  }
  let empty: readonly string[] = [];
  await printAnswer(
    options,
    async (operator) => {
      const added = await operator.addToken({ name, role, groups, expiresMs });
      if (!options.json) empty = await groupsWithoutJobs(operator, groups ?? []);
      return added;
    },
    ({ secret }) => {
      // Alone on stdout, so that it can be redirected to a file.
      if (secret !== null) printLine(secret);
      const until = expiresMs === null ? '' : `, until ${formatInstant(expiresMs)}`;
      printNote(`The token ${name} was created (${role}${until}). It is shown only this once.`);
    },
  );
  for (const note of empty) printNote(note);
}

/** Mistyped ones may be among them. The token is made, whether or not this can be read. */
async function groupsWithoutJobs(
  operator: ApiOperator,
  groups: readonly string[],
): Promise<readonly string[]> {
  const looks = groups.map((group) =>
    requireJobGroup(operator, group).then(
      () => [],
      async (error: unknown) => {
        if (!(error instanceof OperatorError) || error.missing !== group) return [];
        const meant = await meantJobGroup(operator, group);
        return [`No job is in the group ${group} as of now.${meant}`];
      },
    ),
  );
  return (await Promise.all(looks)).flat();
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
        heading: 'USED',
        // A node of an earlier release answers without it.
        of: ({ lastUsedAt = null }) =>
          lastUsedAt === null ? 'never' : instantCell(lastUsedAt, zone),
        rank: 1,
      },
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
function readExpiry(end: PauseEnd = null): number | null {
  if (end === null) return null;
  const expiresMs = 'untilMs' in end ? end.untilMs : Date.now() + end.forMs;
  if (expiresMs > Date.now() && expiresMs < latestMs) return expiresMs;
  throw usageFault(
    '--expires: an instant to come or a duration is required, as 2030-01-31T09:30:00Z or 90d.',
    seeAdd,
  );
}

/** What the database's column can hold. */
const latestMs = Date.UTC(9999, 0, 1);

const seeAdd = 'See: statecron token add --help';
