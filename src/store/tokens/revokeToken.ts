import { OperatorError } from '../../domain/errors.ts';
import { asciiText } from '../asciiText.ts';
import { writeAudit } from '../audit/writeAudit.ts';
import type { Channel, ChannelConnection, Row } from '../channel.ts';
import { changeOnce } from '../jobs/changeOnce.ts';
import type { Decision } from '../transact.ts';

interface TokenRevoked {
  readonly tokenId: string;
  readonly name: string;
}

/**
 * Revokes a token, named by its name or its id: from the acknowledgement on no node lets it in, nor
 * a browser that is logged in by it. Its name is free again.
 * @throws OperatorError `token_missing`, and what `settleOutcome` throws.
 */
export async function revokeToken(channel: Channel, nameOrId: string): Promise<TokenRevoked> {
  const outcome = await changeOnce<TokenRevoked, Row | undefined>(channel, {
    ...{ name: 'revokeToken', isIdempotent: true },
    lock: (connection) => readToken(connection, nameOrId),
    work: revoke,
    look: 'statecron token list',
  });
  if (outcome.outcome === 'committed') return outcome.value;
  throw new OperatorError({
    code: 'token_missing',
    message: `There is no token ${JSON.stringify(nameOrId)}.`,
    hint: 'See the tokens that there are: statecron token list',
  });
}

/** Locked: of two at once the second finds it revoked. */
async function readToken(
  connection: ChannelConnection,
  nameOrId: string,
): Promise<Row | undefined> {
  const names = [nameOrId, asciiText(nameOrId), nameOrId];
  const [row] = await connection.query<Row[]>(selectToken, names);
  return row;
}

async function revoke(
  connection: ChannelConnection,
  row: Row | undefined,
): Promise<Decision<TokenRevoked>> {
  if (row === undefined) return { refuse: 'token_missing' };
  const tokenId = row.token_id as string;
  const name = row.token_name as string;
  const affected = await connection.change(markRevoked, [tokenId]);
  if (affected !== 1) throw new Error('revokeToken: the token changed under its lock');
  await connection.change(deleteLogins, [tokenId]);
  const before = { tokenId, role: row.role as string };
  const told = { target: name, group: null, before, after: null };
  await writeAudit(connection, { action: 'token.revoke', ...told });
  return { commit: { tokenId, name } };
}

const selectToken = `/* revokeToken read */ SELECT token_id, token_name, role FROM api_token
  WHERE revoked_no = '' AND (token_name = ? OR token_id = ?)
  ORDER BY token_name = ? DESC LIMIT 1 FOR UPDATE`;
const markRevoked = `/* revokeToken */ UPDATE api_token
  SET revoked_no = token_id, revoked_at = NOW(3) WHERE token_id = ? AND revoked_no = ''`;
const deleteLogins = '/* revokeToken logins */ DELETE FROM api_login WHERE token_id = ?';
