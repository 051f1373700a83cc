import type { LiveOutput } from '../../domain/commit/historyKeep.ts';
import type { Channel } from '../connection/channel.ts';
import { bytes, flag, integer, nullable, only, rowOf, text } from '../rows/row.ts';

/** Whoever follows requests again within this time; afterwards nothing more is written. */
const requestedSeconds = 10;

/** Launches of the session that somebody follows now. Launch ids begin with their session's. */
export function listFollowed(
  channel: Channel,
  sessionId: string,
  launchesMax: number,
): Promise<string[]> {
  const range = [`${sessionId}:`, `${sessionId};`];
  return channel.rows(only(text), selectFollowed, [...range, requestedSeconds, launchesMax]);
}

/** Writes what followers read; one whom nobody follows any more has no row to be written to. */
export async function writeLive(channel: Channel, outputs: readonly LiveOutput[]): Promise<void> {
  for (const { launchId, output, outputBytes } of outputs) {
    const kept = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
    await channel.change(updateLive, [kept, outputBytes, launchId]);
  }
}

/** Requests the output of a launch; to go on, call it again within ten seconds. */
export async function requestLive(channel: Channel, launchId: string): Promise<void> {
  await channel.change(upsertRequest, [launchId]);
}

/** The output so far of a launch that was requested; only what is more than `seenBytes` is sent. */
export async function readLive(
  channel: Channel,
  launchId: string,
  seenBytes: number,
): Promise<ReturnType<typeof liveLook>> {
  const [look] = await channel.rows(liveLook, selectLive, [seenBytes, launchId]);
  return look ?? { output: null, outputBytes: 0, isReported: false };
}

/** Takes the row away; another who follows requests it anew. */
export async function endLive(channel: Channel, launchId: string): Promise<void> {
  await channel.change(deleteLive, [launchId]);
}

const selectFollowed = `/* listFollowed */ SELECT launch_id FROM run_live
  WHERE launch_id > ? AND launch_id < ? AND asked_at > NOW(3) - INTERVAL ? SECOND LIMIT ?`;
const updateLive = `/* writeLive */ UPDATE run_live
  SET output = ?, output_bytes = ?, written_at = NOW(3) WHERE launch_id = ?`;
const upsertRequest = `/* requestLive */ INSERT INTO run_live (launch_id, asked_at)
  VALUES (?, NOW(3)) ON DUPLICATE KEY UPDATE asked_at = NOW(3)`;
/** What has been written since, as far as its end is kept. */
const liveLook = rowOf({
  /** The last bytes; null: nothing was written yet, or nothing since. */
  output: nullable(bytes),
  outputBytes: integer,
  /** Its node has written it, be it that there was no output. */
  isReported: flag,
});
const selectLive = `/* readLive */ SELECT output_bytes, written_at IS NOT NULL AS is_reported,
    IF(output_bytes > ?, output, NULL) AS output
  FROM run_live WHERE launch_id = ?`;
const deleteLive = '/* endLive */ DELETE FROM run_live WHERE launch_id = ?';
