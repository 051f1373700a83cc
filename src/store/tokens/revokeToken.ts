import { OperatorError } from '../../domain/errors.ts';
import { asciiText } from '../asciiText.ts';
import { writeAudit } from '../audit/writeAudit.ts';
import type { Channel, ChannelConnection, Row } from '../channel.ts';
import { settleOutcome } from '../jobs/settleOutcome.ts';
import { transact } from '../transact.ts';

export interface TokenRevoked {
  readonly tokenId: string;
  readonly name: string;
}

/**
 * Revokes a token, named by its name or its id: from the acknowledgement on no node lets it in, nor
 * a browser that is logged in by it. Its name is free again.
 * @throws OperatorError `token_missing`, and what `settleOutcome` throws.
 */
export async function revokeToken(channel: Channel, nameOrId: string): Promise<TokenRevoked> {
  let tries = 0;
  const outcome = await settleOutcome(
    () => {
      tries += 1;
      return transact<TokenRevoked | null>(channel, 'revokeToken', async (connection) => ({
        commit: await revoke(connection, nameOrId),
      }));
    },
    { isIdempotent: true, look: 'statecron token list' },
  );
  if (outcome.outcome === 'refused') throw new Error('revokeToken refuses nothing');
  if (outcome.value !== null) return outcome.value;
  // A second try that finds none tells that the first was committed.
  if (tries > 1) return { tokenId: '', name: nameOrId };
  throw new OperatorError({
    code: 'token_missing',
    message: `There is no token ${JSON.stringify(nameOrId)}.`,
    hint: 'See the tokens that there are: statecron token list',
  });
}

/** The row's update is the lock: of two at once the second finds it revoked. */
async function revoke(
  connection: ChannelConnection,
  nameOrId: string,
): Promise<TokenRevoked | null> {
  const [row] = await connection.query<Row[]>(selectToken, [
    nameOrId,
    asciiText(nameOrId),
    nameOrId,
  ]);
  if (row === undefined) return null;
  const tokenId = row.token_id as string;
  const name = row.token_name as string;
  if ((await connection.change(markRevoked, [tokenId])) !== 1) return null;
  await connection.change(deleteLogins, [tokenId]);
  const before = { tokenId, role: row.role as string };
  const told = { target: name, group: null, before, after: null };
  await writeAudit(connection, { action: 'token.revoke', ...told });
  return { tokenId, name };
}

const selectToken = `/* revokeToken read */ SELECT token_id, token_name, role FROM api_token
  WHERE revoked_no = '' AND (token_name = ? OR token_id = ?)
  ORDER BY token_name = ? DESC LIMIT 1`;
const markRevoked = `/* revokeToken */ UPDATE api_token
  SET revoked_no = token_id, revoked_at = NOW(3) WHERE token_id = ? AND revoked_no = ''`;
const deleteLogins = '/* revokeToken logins */ DELETE FROM api_login WHERE token_id = ?';
