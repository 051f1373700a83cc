import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { launchNumber } from '../process/launchTag.ts';
import { type ProcessEntry, readMark, readProcess } from '../process/processTree.ts';
import type { Stray } from '../spawn/spawner.ts';

/** A run as far as its process tree goes. */
export interface RunTree {
  launchId: string;
  /** Bash, the leader of its group and session. */
  pid: number;
  startTicks: number;
  /** Whom it runs as; null: as the node does. */
  user: string | null;
}

/** What runs have left behind, by launch id. */
export interface Attribution {
  /** Without entries: there was one, which has just ended and may have forked on. */
  readonly strays: ReadonlyMap<string, readonly ProcessEntry[]>;
  /** One had ended before it was read: it may be of any run. */
  readonly isUnclear: boolean;
}

/**
 * Which runs the strays belong to: by their tag; without one by session and group, then by the
 * mark, which can be forged and counts for a launch under way here that is older than the stray and
 * of its user. One without any of these may be any run's that was under way when it began and goes
 * with the first of them that ends: two launches of a slot must not overlap.
 * @param running all runs of this worker whose tree is not known to be gone
 * @param leftAlone numbers of launches that have ended and whose rest may live; a tag with any
 *   other number is forged, as nothing lives of a launch that has ended or not begun
 */
export function attributeStrays(
  strays: readonly Stray[],
  running: ReadonlyMap<string, RunTree>,
  leftAlone: ReadonlySet<number>,
): Attribution {
  const byNumber = new Map([...running.keys()].map((id) => [launchNumber(id), id]));
  const found = new Map<string, ProcessEntry[]>();
  let isUnclear = false;
  for (const { pid, launch } of strays) {
    if (launch !== null && leftAlone.has(launch)) continue;
    const entry = readProcess(pid);
    const known = launch === null ? undefined : byNumber.get(launch);
    if (known === undefined && entry === null) {
      isUnclear = true;
      continue;
    }
    const owners = known !== undefined ? [known] : ownersOf(entry as ProcessEntry, running);
    for (const launchId of owners) {
      const entries = found.get(launchId) ?? [];
      if (entry !== null) entries.push(entry);
      found.set(launchId, entries);
    }
  }
  return { strays: found, isUnclear };
}

function ownersOf(entry: ProcessEntry, running: ReadonlyMap<string, RunTree>): string[] {
  const older = [...running.values()].filter((tree) => entry.startTicks >= tree.startTicks);
  const led = older.filter(({ pid }) => pid === entry.sessionId || pid === entry.groupId);
  if (led.length > 0) return led.map(({ launchId }) => launchId);
  const mark = readMark(entry.pid);
  const marked = older.find(({ launchId }) => launchId === mark);
  if (marked !== undefined && mayBeMarked(entry, marked)) return [marked.launchId];
  return older.map(({ launchId }) => launchId);
}

/** A mark counts for what is younger than bash and runs as its user. */
export function mayBeMarked(entry: ProcessEntry, tree: RunTree): boolean {
  return entry.startTicks >= tree.startTicks && userIdOf(entry.pid) === idOfUser(tree.user);
}

/** Null: it has ended. */
function userIdOf(pid: number): number | null {
  try {
    return statSync(`/proc/${pid}`).uid;
  } catch {
    return null;
  }
}

const idsOfUsers = new Map<string, number>();

/** Looked up once for each user, and only when there is a mark to be checked. */
function idOfUser(user: string | null): number {
  if (user === null) return process.geteuid?.() ?? 0;
  const known = idsOfUsers.get(user);
  if (known !== undefined) return known;
  const id = Number(execFileSync('id', ['-u', '--', user], { encoding: 'latin1' }));
  idsOfUsers.set(user, id);
  return id;
}
