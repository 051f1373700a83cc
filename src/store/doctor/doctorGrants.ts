import type { Channel } from '../connection/channel.ts';
import { classifyError } from '../connection/classifyError.ts';
import { grantStatement, usualGrant } from '../connection/grantStatement.ts';
import { only, text } from '../rows/row.ts';
import { type Check, checkOf } from './doctorCheck.ts';

/** The tables that nodes cannot do without, each with a column that an UPDATE of no row names. */
const columns = {
  job: 'removed_at',
  job_group: 'taken',
  job_revision: 'in_force_until',
  lock_row: 'taken',
  migration_lock: 'taken',
  node_group: 'members',
  note: 'note_value',
  pending: 'not_before',
  run: 'reason',
  run_output: 'output',
  session: 'ended_why',
  slot: 'launch_id',
  target: 'target',
  targeting_version: 'version',
};

/** Statements that change no row and still need the right that each is named for. */
const probes = {
  SELECT: (table: string) => `/* checkGrants */ SELECT 1 FROM ${table} WHERE 1 = 0`,
  INSERT: (table: string) =>
    `/* checkGrants */ INSERT INTO ${table} SELECT * FROM ${table} WHERE 1 = 0`,
  UPDATE: (table: string, column: string) =>
    `/* checkGrants */ UPDATE ${table} SET ${column} = ${column} WHERE 1 = 0`,
  DELETE: (table: string) => `/* checkGrants */ DELETE FROM ${table} WHERE 1 = 0`,
};

/**
 * Whether the account may do all that nodes and operators do, which is SELECT, INSERT, UPDATE and
 * DELETE. The server decides, by probes, since grants come by roles and wildcards too.
 */
export async function checkGrants(channel: Channel, isLocal: boolean): Promise<Check[]> {
  const denied: string[] = [];
  for (const [table, column] of Object.entries(columns)) {
    for (const [right, probe] of Object.entries(probes)) {
      if (!(await isAllowed(channel, probe(table, column)))) denied.push(`${right} on ${table}`);
    }
  }
  const isEnough = denied.length === 0;
  const enough = checkOf(
    'grants',
    isEnough,
    isEnough ? 'the account may do all that is needed' : `the account lacks: ${denied.join(', ')}`,
    isEnough
      ? null
      : `As an administrator of the database run: ${await grantStatement(channel, usualGrant)}`,
  );
  // The private server knows one account only, reached by a socket that only its owner can open.
  return isLocal ? [enough] : [enough, ...(await checkExcess(channel))];
}

async function isAllowed(channel: Channel, probe: string): Promise<boolean> {
  try {
    await channel.query(probe);
    return true;
  } catch (error) {
    if (classifyError(error) === 'denied') return false;
    throw error;
  }
}

/** Who gets at the account gets at all that it may do. */
async function checkExcess(channel: Channel): Promise<Check[]> {
  const grants = await channel.rows(only(text), showGrants);
  const isGlobal = (grant: string) => / ON \*\.\* /.test(grant) && !/^GRANT USAGE /.test(grant);
  if (!grants.some(isGlobal)) return [];
  const message = 'the account has rights on the whole server';
  const hint = 'Give statecron an account of its own, with rights on its own database only.';
  return [checkOf('grants', false, message, hint, 'warn')];
}

const showGrants = '/* checkGrants excess */ SHOW GRANTS';
