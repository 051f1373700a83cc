import type { Role } from '../../domain/access/role.ts';
import type { FieldFault } from '../../domain/errors/errors.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import { checkGroupName } from '../../domain/job/fieldTable/checkNames.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { writeAudit } from '../audit/writeAudit.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { dateOf } from '../connection/queryable.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { integer, only } from '../rows/row.ts';
import type { Decision } from '../transaction/transact.ts';
import { makeTokenText, type NewToken } from './tokenText.ts';

/** A token to be made. */
interface TokenRequest {
  readonly name: string;
  readonly role: Role;
  /** The only groups whose jobs it is for; null: every job. */
  readonly groups: readonly string[] | null;
  /** Epoch milliseconds, by the database's clock; null: it does not expire. */
  readonly expiresMs: number | null;
}

interface TokenAdded {
  readonly tokenId: string;
  readonly name: string;
  /** The token itself, once; null in the answer to a repeat of the same request. */
  readonly secret: string | null;
}

export const tokenBounds = { tokensMax: 1_000, nameCharactersMax: 64, groupsMax: 100 } as const;

/** Everything that is wrong with a token to be made. */
export function checkToken(request: Pick<TokenRequest, 'name' | 'groups'>): FieldFault[] {
  const { name, groups } = request;
  const faults: FieldFault[] = [];
  const { groupsMax, nameCharactersMax } = tokenBounds;
  if (name === '' || [...name].length > nameCharactersMax || /[\p{Cc}\p{Cs}]/u.test(name)) {
    const message = `1 to ${nameCharactersMax} characters, no control characters`;
    faults.push({ field: 'name', message });
  }
  if (groups === null) return faults;
  if (groups.length === 0 || groups.length > groupsMax) {
    faults.push({ field: 'groups', message: `1 to ${groupsMax} groups, or none at all` });
  }
  for (const [place, group] of groups.entries()) {
    const message = checkGroupName(group);
    if (message !== null) faults.push({ field: `groups.${place}`, message });
  }
  return faults;
}

/**
 * Makes a token. Its text is in the answer and nowhere else.
 * @param made its text, when the caller needs it before it is in force
 * @throws OperatorError `token_exists`, `too_many_tokens`; `outcome_unknown`, after which a token
 * may be there that nobody has: revoke it by its name.
 */
export async function addToken(
  channel: Channel,
  request: TokenRequest,
  made = makeTokenText(),
): Promise<TokenAdded> {
  const { name } = request;
  return changeOnce<TokenAdded>(channel, {
    ...{ name: 'addToken', isIdempotent: false, look: 'statecron token list' },
    work: (connection) => insertToken(connection, request, made),
    answers: { action, target: name, kept: (added) => ({ ...added, secret: null }) },
    refused: () => tokenExists(name),
  });
}

async function insertToken(
  connection: ChannelConnection,
  request: TokenRequest,
  { text, key: { tokenId, hash } }: NewToken,
): Promise<Decision<TokenAdded>> {
  const { name, role, groups, expiresMs } = request;
  const expires = dateOf(expiresMs);
  const groupsText = groups === null ? null : JSON.stringify(groups);
  const values = [tokenId, hash, name, role, groupsText, expires];
  const affected = await connection.change(insertRow, values);
  if (affected !== 1) return { refuse: 'token_exists' };
  const [tokens = 0] = await connection.rows(only(integer), countTokens);
  // Thrown, so that the row goes with the transaction.
  if (tokens > tokenBounds.tokensMax) throw tooMany();
  await writeAudit(connection, {
    ...{ action, target: name },
    after: { tokenId, role, groups, expiresAt: expires?.toISOString() ?? null },
  });
  return { commit: { tokenId, name, secret: text } };
}

function tokenExists(name: string): OperatorError {
  const message = `There is a token ${JSON.stringify(name)} already.`;
  const hint = `Take another name, or revoke that one: statecron token revoke ${shellWord(name)}`;
  return new OperatorError({ code: 'token_exists', message, hint });
}

function tooMany(): OperatorError {
  const message = `There are ${tokenBounds.tokensMax} tokens already, which is the most.`;
  const hint = 'Revoke those that nobody uses: statecron token list';
  return new OperatorError({ code: 'too_many_tokens', message, hint });
}

const action = 'token.add';

const insertRow = `/* addToken */ INSERT IGNORE INTO api_token
    (token_id, token_hash, token_name, role, job_groups, made_at, expires_at)
  VALUES (?, ?, ?, ?, ?, NOW(3), ?)`;
const countTokens = `/* addToken count */ SELECT COUNT(*) FROM api_token
  WHERE revoked_no = ''`;
