import type { Channel } from '../connection/channel.ts';

/** Writes down that a token was used just now, unless that was said of it within five minutes. */
export async function recordTokenUse(channel: Channel, tokenId: string): Promise<void> {
  await channel.change(updateToken, [tokenId]);
}

const updateToken = `/* recordTokenUse */ UPDATE api_token SET last_used_at = NOW(3)
  WHERE token_id = ? AND (last_used_at IS NULL OR last_used_at < NOW(3) - INTERVAL 5 MINUTE)`;
