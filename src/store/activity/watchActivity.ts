import type { Channel } from '../connection/channel.ts';

/** The note that says until when nodes are to write their activity. */
export const watchNote = 'activity_watched_until';

/** For so long after a page has asked for it, nodes write what their actors do. */
const watchedSeconds = 15;

/** Has every node write its activity from its next look at the sessions on, for a short time. */
export async function watchActivity(channel: Channel): Promise<void> {
  await channel.change(note, [watchNote, watchedSeconds]);
}

// Both are texts of the same form in UTC, so that they compare as times do.
const note = `/* watchActivity */ INSERT INTO note (note_name, note_value)
  VALUES (?, CAST(NOW(3) + INTERVAL ? SECOND AS CHAR))
  ON DUPLICATE KEY UPDATE note_value = VALUES(note_value)`;

/** 1: somebody looks; 0 or NULL: nobody does. */
export const isActivityWatched = `(SELECT note_value > CAST(NOW(3) AS CHAR)
      FROM note WHERE note_name = '${watchNote}')`;
