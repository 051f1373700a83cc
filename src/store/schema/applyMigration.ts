import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { Channel } from '../connection/channel.ts';
import { only, text } from '../rows/row.ts';

/** ER_DUP_FIELDNAME and ER_DUP_KEYNAME. */
const isThereAlready = new Set<unknown>([1060, 1061]);

/**
 * Runs the statement of one migration. MySQL has no ADD COLUMN IF NOT EXISTS: a column or key may
 * be there already, of a migration that was cut short before it was noted. That is no error if the
 * table has all that the statement adds; anything else is one.
 * @throws OperatorError `migration_failed` (78); the driver's errors.
 */
export async function applyMigration(channel: Channel, name: string, sql: string): Promise<void> {
  try {
    await channel.query(`/* migrate ${name} */ ${sql}`);
  } catch (error) {
    const { errno, message } = error as { errno?: unknown; message: string };
    const [, table] = /^ALTER TABLE (\w+)/m.exec(sql) ?? [];
    if (table === undefined || !isThereAlready.has(errno)) throw error;
    const lacking = await findLacking(channel, table, sql);
    if (lacking.length === 0) return;
    const lacks = `${table} lacks: ${lacking.join(', ')}`;
    throw new OperatorError({
      code: 'migration_failed',
      message: `The migration ${name} failed (${message}), and ${lacks}.`,
      hint:
        `Drop what SHOW CREATE TABLE ${table} has of the migration in another form, and run it ` +
        'again. See: statecron docs troubleshooting',
      exitCode: exitCodes.configuration,
      cause: error,
    });
  }
}

async function findLacking(channel: Channel, table: string, sql: string): Promise<string[]> {
  const parts = new Set(await channel.rows(only(text), selectParts, [table, table]));
  const added = [...sql.matchAll(/ADD COLUMN (\w+)|ADD KEY (\w+ \([^)]*\))/g)];
  return added.map(([, column, key]) => column ?? key ?? '').filter((part) => !parts.has(part));
}

/** Columns by their names, keys as in `name (a, b)`. */
const selectParts = `/* partsOf */ SELECT column_name AS part
  FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?
  UNION ALL SELECT CONCAT(index_name, ' (',
    GROUP_CONCAT(column_name ORDER BY seq_in_index SEPARATOR ', '), ')') AS part
  FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ?
  GROUP BY index_name`;
