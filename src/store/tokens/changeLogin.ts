import { writeAudit } from '../audit/writeAudit.ts';
import type { Channel } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { hashSecret, makeSecret } from './tokenText.ts';

/** How long a browser stays logged in. */
export const loginHours = 12;

/** Browsers of one token; with one more the oldest is logged out. */
const loginsMax = 50;
const look = 'statecron token list';

/**
 * Logs a browser in by a token. Resolves to its cookie, which is another secret than the token:
 * who steals the one has not the other, and the end of the login ends it.
 */
export function addLogin(channel: Channel, tokenId: string): Promise<string> {
  const cookie = makeSecret();
  return changeOnce<string>(channel, {
    ...{ name: 'addLogin', look },
    work: async (connection) => {
      await connection.change(insertLogin, [hashSecret(cookie), tokenId, loginHours]);
      await connection.change(deleteOldest, [tokenId, tokenId, loginsMax]);
      await writeAudit(connection, { action: 'login.add', target: tokenId });
      return { commit: cookie };
    },
  });
}

/** Logs a browser out; one that is not logged in stays so. */
export async function endLogin(channel: Channel, cookie: string): Promise<void> {
  await changeOnce<null>(channel, {
    ...{ name: 'endLogin', look },
    work: async (connection) => {
      const affected = await connection.change(deleteLogin, [hashSecret(cookie)]);
      if (affected === 1) await writeAudit(connection, { action: 'login.end', target: '' });
      return { commit: null };
    },
  });
}

const insertLogin = `/* addLogin */ INSERT IGNORE INTO api_login
    (login_hash, token_id, made_at, expires_at)
  VALUES (?, ?, NOW(3), NOW(3) + INTERVAL ? HOUR)`;
// The derived table, since neither server takes LIMIT in a plain IN, nor the table to delete from.
const deleteOldest = `/* addLogin oldest */ DELETE FROM api_login
  WHERE token_id = ? AND login_hash IN (SELECT login_hash FROM (SELECT login_hash FROM api_login
    WHERE token_id = ? ORDER BY made_at DESC LIMIT 1000 OFFSET ?) old)`;
const deleteLogin = '/* endLogin */ DELETE FROM api_login WHERE login_hash = ?';
