import { writeAudit } from '../audit/writeAudit.ts';
import type { Channel } from '../connection/channel.ts';
import { settleOutcome } from '../transaction/settleOutcome.ts';
import { transact } from '../transaction/transact.ts';
import { hashSecret, makeSecret } from './tokenText.ts';

/** How long a browser stays logged in. */
export const loginHours = 12;

/** Browsers of one token; with one more the oldest is logged out. */
const loginsMax = 50;

/**
 * Logs a browser in by a token. Resolves to its cookie, which is another secret than the token:
 * who steals the one has not the other, and the end of the login ends it.
 */
export async function addLogin(channel: Channel, tokenId: string): Promise<string> {
  const cookie = makeSecret();
  const outcome = await settleOutcome(
    () =>
      transact<true>(channel, 'addLogin', async (connection) => {
        await connection.change(insertLogin, [hashSecret(cookie), tokenId, loginHours]);
        await connection.change(deleteOldest, [tokenId, tokenId, loginsMax]);
        const told = { target: tokenId, group: null, before: null, after: null };
        await writeAudit(connection, { action: 'login.add', ...told });
        return { commit: true };
      }),
    { isIdempotent: true, look: 'statecron token list' },
  );
  if (outcome.outcome === 'refused') throw new Error('addLogin refuses nothing');
  return cookie;
}

/** Logs a browser out; one that is not logged in stays so. */
export async function endLogin(channel: Channel, cookie: string): Promise<void> {
  await settleOutcome(
    () =>
      transact<true>(channel, 'endLogin', async (connection) => {
        const affected = await connection.change(deleteLogin, [hashSecret(cookie)]);
        const told = { target: '', group: null, before: null, after: null };
        if (affected === 1) await writeAudit(connection, { action: 'login.end', ...told });
        return { commit: true };
      }),
    { isIdempotent: true, look: 'statecron token list' },
  );
}

const insertLogin = `/* addLogin */ INSERT IGNORE INTO api_login
    (login_hash, token_id, made_at, expires_at)
  VALUES (?, ?, NOW(3), NOW(3) + INTERVAL ? HOUR)`;
// The derived table, since neither server takes LIMIT in a plain IN, nor the table to delete from.
const deleteOldest = `/* addLogin oldest */ DELETE FROM api_login
  WHERE token_id = ? AND login_hash IN (SELECT login_hash FROM (SELECT login_hash FROM api_login
    WHERE token_id = ? ORDER BY made_at DESC LIMIT 1000 OFFSET ?) old)`;
const deleteLogin = '/* endLogin */ DELETE FROM api_login WHERE login_hash = ?';
