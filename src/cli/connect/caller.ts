import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { ChangedBy } from '../../domain/access/changedBy.ts';

/** The user who runs this command on the database itself, for the audit log. */
export function caller(): ChangedBy {
  const actor = `${userName()}@${hostname()}`.slice(0, actorCharactersMax);
  return { actor, via: 'cli', requestId: randomUUID(), address: null };
}

/** In a container a user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

const actorCharactersMax = 191;
