import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';

/** The variable beside `--spool`. */
export const spoolVariable = 'STATECRON_SPOOL';

/**
 * The folder in which a node keeps results that the database cannot take: below `--spool`,
 * `STATECRON_SPOOL` or the user's state folder, one for each database and node name, so that the
 * nodes of one host never read each other's.
 */
export function spoolFolderOf(
  given: string | undefined,
  database: DatabaseAddress,
  nodeName: string,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const root = pathOf(given) ?? pathOf(env[spoolVariable]) ?? path.join(stateHome(env), 'spool');
  return path.join(path.resolve(root), keyOf(databaseIdentity(database)), keyOf(nodeName));
}

/** Set and empty counts as not set, as for every variable. */
function pathOf(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

function stateHome(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_STATE_HOME;
  // The specification says that a relative path there is to be ignored.
  const isUsable = given !== undefined && path.isAbsolute(given);
  return path.join(isUsable ? given : path.join(homedir(), '.local', 'state'), 'statecron');
}

/** The first host stands for all: a member that is added behind it changes nothing. */
function databaseIdentity({ hosts, options }: DatabaseAddress): string {
  const [first] = hosts;
  const place = options.socketPath ?? `${first?.host ?? ''}-${first?.port ?? ''}`;
  return `${options.database ?? ''}@${place}`;
}

/** Readable, fit for a file name, and never the same for two texts. */
function keyOf(text: string): string {
  const readable = text.replace(/[^0-9A-Za-z._@-]+/g, '_').slice(0, readableMax);
  return `${readable}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

const readableMax = 60;
