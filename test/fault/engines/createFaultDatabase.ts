import { randomBytes } from 'node:crypto';
import { databasePrefix } from './accounts.ts';
import type { EngineMember } from './faultEngine.ts';

/** Makes an empty database that the ordinary user has every right on; resolves to its name. */
export async function createFaultDatabase(member: EngineMember): Promise<string> {
  const name = `${databasePrefix}${randomBytes(8).toString('hex')}`;
  await member.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  return name;
}
