import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import type { Queryable } from '../connection/queryable.ts';
import { jsonOf, only } from '../rows/row.ts';

/**
 * What a database notes of itself while it is a restored copy. `loading`: its rows are not all
 * there. `restored`: they are, and it is not confirmed yet that this copy is the one to go on with.
 */
export interface RestoreMarker {
  readonly state: 'loading' | 'restored';
  /** When the backup was taken, epoch milliseconds by the clock of its database. */
  readonly takenMs: number;
  /** When the rows were all there; null: they are not. */
  readonly restoredMs: number | null;
  readonly hasHistory: boolean;
  /** The `oldest_version` that there was before: nodes of earlier versions know no marker. */
  readonly oldestVersion: string | null;
}

/** The marker, or null: the database is no copy, or it was confirmed. */
export async function readMarker(database: Queryable): Promise<RestoreMarker | null> {
  const [marker = null] = await database.rows(only(jsonOf<RestoreMarker>()), selectMarker);
  return marker;
}

/** Inside the transaction that holds the lock of session management. */
export function writeMarker(connection: ChannelConnection, marker: RestoreMarker) {
  return writeNote(connection, 'restore', JSON.stringify(marker));
}

/** A note of the database about itself, in place of the one of that name. */
export async function writeNote(
  connection: ChannelConnection,
  name: 'restore' | 'restored' | 'oldest_version',
  value: string,
): Promise<void> {
  await connection.change(replaceNote, [name, value]);
}

/** Why no node may join: it would run again what ran since the backup. */
export function restoredFault({ state, takenMs }: RestoreMarker): OperatorError {
  const taken = new Date(takenMs).toISOString();
  const isLoading = state === 'loading';
  return new OperatorError({
    code: isLoading ? 'restore_unfinished' : 'restored_copy',
    message: isLoading
      ? `The database is being restored from a backup of ${taken}, or that was cut short.`
      : `The database is a copy that was restored from a backup of ${taken}.`,
    hint: isLoading
      ? 'Wait for it, or begin it again: statecron restore FILE'
      : 'Once the cluster that it was taken of has stopped for good, for the same database: ' +
        'statecron restore --confirm',
    exitCode: exitCodes.configuration,
  });
}

const selectMarker = "/* readMarker */ SELECT note_value FROM note WHERE note_name = 'restore'";
const replaceNote = '/* writeNote */ REPLACE INTO note (note_name, note_value) VALUES (?, ?)';
