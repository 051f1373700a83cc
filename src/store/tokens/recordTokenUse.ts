import type { Channel } from '../connection/channel.ts';

/** Records that a token is used now, unless its last recorded use is under five minutes old. */
export async function recordTokenUse(channel: Channel, tokenId: string): Promise<void> {
  await channel.change(updateToken, [tokenId]);
}

const updateToken = `/* recordTokenUse */ UPDATE api_token SET last_used_at = NOW(3)
  WHERE token_id = ? AND (last_used_at IS NULL OR last_used_at < NOW(3) - INTERVAL 5 MINUTE)`;
