import { OperatorError } from '../../domain/errors/errors.ts';
import { writeAudit } from '../audit/writeAudit.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { asciiText } from '../rows/asciiText.ts';
import { rowOf, text } from '../rows/row.ts';

type TokenRevoked = Pick<Token, 'tokenId' | 'name'>;

/**
 * Revokes a token, named by its name or its id: from the acknowledgement on no node lets it in, nor
 * a browser that is logged in by it. Its name is free again.
 * @throws OperatorError `token_missing`, and what `settleOutcome` throws.
 */
export async function revokeToken(channel: Channel, nameOrId: string): Promise<TokenRevoked> {
  return changeOnce<TokenRevoked, Token | undefined>(channel, {
    ...{ name: 'revokeToken', look: 'statecron token list' },
    // Locked: of two at once the second finds it revoked.
    lock: async (connection) => {
      const names = [nameOrId, asciiText(nameOrId), nameOrId];
      return (await connection.rows(tokenFound, selectToken, names))[0];
    },
    work: revoke,
    refused: () =>
      new OperatorError({
        code: 'token_missing',
        message: `There is no token ${JSON.stringify(nameOrId)}.`,
        hint: 'See the tokens that there are: statecron token list',
        missing: nameOrId,
      }),
  });
}

async function revoke(connection: ChannelConnection, token: Token | undefined) {
  if (token === undefined) return { refuse: 'token_missing' };
  const { tokenId, name, role } = token;
  const affected = await connection.change(markRevoked, [tokenId]);
  if (affected !== 1) throw new Error('revokeToken: the token changed under its lock');
  await connection.change(deleteLogins, [tokenId]);
  const before = { tokenId, role };
  await writeAudit(connection, { action: 'token.revoke', target: name, before });
  return { commit: { tokenId, name } };
}

const tokenFound = rowOf({ tokenId: text, name: text, role: text });
type Token = ReturnType<typeof tokenFound>;
const selectToken = `/* revokeToken read */ SELECT token_id, token_name AS name, role FROM api_token
  WHERE revoked_no = '' AND (token_name = ? OR token_id = ?)
  ORDER BY token_name = ? DESC LIMIT 1 FOR UPDATE`;
const markRevoked = `/* revokeToken */ UPDATE api_token
  SET revoked_no = token_id, revoked_at = NOW(3) WHERE token_id = ? AND revoked_no = ''`;
const deleteLogins = '/* revokeToken logins */ DELETE FROM api_login WHERE token_id = ?';
