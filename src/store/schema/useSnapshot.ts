import type { Channel, ChannelConnection } from '../connection/channel.ts';

/**
 * Runs `use` in one consistent snapshot that can write nothing: whatever is committed meanwhile,
 * all of its reads see one instant. Nothing is locked, and nobody waits; the server keeps old
 * versions of rows that change until it ends. Give it a channel of its own, since it has it to the
 * end, and read pages, since the server cuts a connection that is silent for too long.
 */
export function useSnapshot<T>(
  channel: Channel,
  use: (connection: ChannelConnection) => Promise<T>,
): Promise<T> {
  return channel.use(async (connection) => {
    await connection.query(isolate);
    await connection.query(begin);
    try {
      return await use(connection);
    } finally {
      await end(connection);
    }
  });
}

/** There is nothing to lose: when the end fails the connection goes, and the snapshot with it. */
async function end(connection: ChannelConnection): Promise<void> {
  try {
    await connection.query(commit);
  } catch {
    connection.destroy(); // whoever used it has its answer, or the error that broke it
  }
}

/** For the next transaction alone: channels are READ COMMITTED. */
const isolate = '/* useSnapshot */ SET TRANSACTION ISOLATION LEVEL REPEATABLE READ';
const begin = '/* useSnapshot begin */ START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY';
const commit = '/* useSnapshot end */ COMMIT';
