import { randomBytes } from 'node:crypto';
import { until } from '../../support/until.ts';
import { databasePrefix } from './accounts.ts';
import type { EngineMember } from './faultEngine.ts';

/**
 * Makes an empty database that the ordinary user has every right on, at the first of the members,
 * and waits until the others know it, too; resolves to its name.
 */
export async function createFaultDatabase(members: readonly EngineMember[]): Promise<string> {
  const name = `${databasePrefix}${randomBytes(8).toString('hex')}`;
  const [first, ...others] = members;
  if (first === undefined) throw new Error('a database needs a member to be made at');
  await first.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  for (const other of others) {
    const isKnown = async () => (await other.query(`SHOW DATABASES LIKE '${name}'`)).length > 0;
    await until(`${other.name} knows the database`, isKnown);
  }
  return name;
}
