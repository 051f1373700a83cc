import type { Channel } from '../connection/channel.ts';
import { classifyError } from '../connection/classifyError.ts';
import { only, text } from '../rows/row.ts';
import type { Check } from './doctorCheck.ts';

const tables = [
  'job',
  'job_group',
  'job_revision',
  'lock_row',
  'node_group',
  'note',
  'pending',
  'run',
  'run_output',
  'session',
  'slot',
  'target',
  'targeting_version',
] as const;

type Table = (typeof tables)[number];

/** Statements that change no row and still need the right that they are named for. */
const probes = {
  SELECT: (table: Table) => `/* checkGrants */ SELECT 1 FROM ${table} WHERE 1 = 0`,
  INSERT: (table: Table) =>
    `/* checkGrants */ INSERT INTO ${table} SELECT * FROM ${table} WHERE 1 = 0`,
  UPDATE: (table: Table) =>
    `/* checkGrants */ UPDATE ${table} SET ${columns[table]} = ${columns[table]} WHERE 1 = 0`,
  DELETE: (table: Table) => `/* checkGrants */ DELETE FROM ${table} WHERE 1 = 0`,
} as const;

/** A column of each table, for an UPDATE that matches nothing. */
const columns: Record<Table, string> = {
  job: 'removed_at',
  job_group: 'taken',
  job_revision: 'in_force_until',
  lock_row: 'taken',
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

/**
 * Whether the account may do all that nodes and operators do, which is SELECT, INSERT, UPDATE and
 * DELETE; asked of the server by doing it to no rows, since grants come by roles and wildcards too.
 */
export async function checkGrants(channel: Channel, isLocal: boolean): Promise<Check[]> {
  const denied: string[] = [];
  for (const table of tables) {
    for (const [right, probe] of Object.entries(probes)) {
      if (!(await isAllowed(channel, probe(table)))) denied.push(`${right} on ${table}`);
    }
  }
  const check = 'grants';
  const enough: Check =
    denied.length === 0
      ? { check, status: 'ok', message: 'the account may do all that is needed', hint: null }
      : {
          check,
          status: 'fail',
          message: `the account lacks: ${denied.join(', ')}`,
          hint: 'GRANT SELECT, INSERT, UPDATE, DELETE ON DATABASE.* TO that account.',
        };
  // The private server knows one account only, reached by a socket that only its owner can open.
  return isLocal ? [enough] : [enough, ...(await checkExcess(channel))];
}

async function isAllowed(channel: Channel, statement: string): Promise<boolean> {
  try {
    await channel.query(statement);
    return true;
  } catch (error) {
    if (classifyError(error) === 'denied') return false;
    throw error;
  }
}

/** Who gets at the account gets at all that it may do. */
async function checkExcess(channel: Channel): Promise<Check[]> {
  const grants = await channel.rows(only(text), showGrants);
  const global = grants.filter(
    (grant) => / ON \*\.\* /.test(grant) && !/^GRANT USAGE /.test(grant),
  );
  if (global.length === 0) return [];
  return [
    {
      check: 'grants',
      status: 'warn',
      message: 'the account has rights on the whole server',
      hint: 'Give statecron an account of its own, with rights on its own database only.',
    },
  ];
}

const showGrants = '/* checkGrants excess */ SHOW GRANTS';
