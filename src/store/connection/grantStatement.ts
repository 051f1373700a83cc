import { rowOf, text } from '../rows/row.ts';
import type { Queryable } from './queryable.ts';

/** What nodes and all commands but `migrate` need on their database. */
export const usualGrant = 'GRANT SELECT, INSERT, UPDATE, DELETE';

/** What `migrate` needs there: it writes rows, too. */
export const migrateGrant = `${usualGrant}, CREATE, ALTER, INDEX, DROP`;

/** Where tables are missing: the account of nodes may not make them. */
export const migrateHint =
  'Run statecron migrate, as an account that may create tables: statecron docs production';

/** The statement by which an administrator gives these rights to the account that is connected. */
export async function grantStatement(channel: Queryable, grant: string): Promise<string> {
  const { account, schemaName } = await channel.row(accountRow, selectAccount);
  const host = account.lastIndexOf('@');
  const grantee = `'${account.slice(0, host)}'@'${account.slice(host + 1)}'`;
  return `${grant} ON \`${schemaName}\`.* TO ${grantee};`;
}

const accountRow = rowOf({ account: text, schemaName: text });
const selectAccount =
  '/* grantStatement */ SELECT CURRENT_USER() AS account, DATABASE() AS schema_name';
