import { readdirSync, readFileSync } from 'node:fs';
import { type LaunchTag, markName, onFenceName, readTag } from './launchTag.ts';
import { readStat } from './procStat.ts';

/** A living process as /proc/PID/stat has it; (pid, startTicks) is one process for ever. */
export interface ProcessEntry {
  pid: number;
  parentPid: number;
  groupId: number;
  sessionId: number;
  /** Field 22: when it was started, in ticks of the boot clock. */
  startTicks: number;
  /** One letter, e.g. `T`: stopped. */
  state: string;
}

/** What makes a process part of a tree. Every descendant of a part is a part too. */
interface TreeMembership {
  /** Is this the mark (the launch id in the environment) of the tree? */
  hasMark: (mark: string, entry: ProcessEntry) => boolean;
  /** Is this the tag of the tree? Absent: it has none. */
  hasTag?: (tag: LaunchTag) => boolean;
  /** Leaders of process groups or sessions: pid, and the start time of the leader. */
  groups: ReadonlyMap<number, number>;
  /** Processes that are known to belong: pid and start time. */
  roots: ReadonlyMap<number, number>;
}

/** Reads a process; null when it is gone or a zombie, which is as dead but not yet reaped. */
export function readProcess(pid: number): ProcessEntry | null {
  const fields = readStat(pid);
  if (fields === null || fields[0] === 'Z' || fields[0] === 'X') return null;
  return {
    pid,
    parentPid: Number(fields[1]),
    groupId: Number(fields[2]),
    sessionId: Number(fields[3]),
    startTicks: Number(fields[19]),
    state: fields[0] ?? '',
  };
}

/** One look at all processes, shared by all who need one at the same time. */
export interface ProcessScan {
  entries: ProcessEntry[];
  childrenOf: Map<number, ProcessEntry[]>;
  /** The launch id in a process's environment, read once. */
  markOf: (pid: number) => string | null;
  /** The tag of a process, read once. */
  tagOf: (pid: number) => LaunchTag | null;
  /** It is to finish although its node is fenced. */
  isSpared: (pid: number) => boolean;
}

/** All living processes, in one pass over /proc: about 20 µs for each. */
export function scanProcesses(): ProcessScan {
  const entries: ProcessEntry[] = [];
  const childrenOf = new Map<number, ProcessEntry[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const entry = readProcess(Number(name));
    if (entry === null) continue;
    entries.push(entry);
    const siblings = childrenOf.get(entry.parentPid);
    if (siblings === undefined) childrenOf.set(entry.parentPid, [entry]);
    else siblings.push(entry);
  }
  const lookAt = remembered(readEnvironment);
  return {
    entries,
    childrenOf,
    markOf: (pid) => lookAt(pid).launchId,
    tagOf: remembered(readTag),
    isSpared: (pid) => lookAt(pid).isSpared,
  };
}

/** Reads once for each process. */
function remembered<T>(read: (pid: number) => T): (pid: number) => T {
  const known = new Map<number, T>();
  return (pid) => {
    const value = known.has(pid) ? (known.get(pid) as T) : read(pid);
    known.set(pid, value);
    return value;
  };
}

const markPattern = new RegExp(`(?:^|\\0)${markName}=([^\\0]*)`);
const sparedPattern = new RegExp(`(?:^|\\0)${onFenceName}=finish(?:\\0|$)`);

/** The launch id that a process carries in its environment; null without one or without access. */
export function readMark(pid: number): string | null {
  return readEnvironment(pid).launchId;
}

function readEnvironment(pid: number): { launchId: string | null; isSpared: boolean } {
  try {
    const text = readFileSync(`/proc/${pid}/environ`, 'latin1');
    const launchId = markPattern.exec(text)?.[1] ?? null;
    return { launchId, isSpared: launchId !== null && sparedPattern.test(text) };
  } catch {
    return { launchId: null, isSpared: false }; // It has ended, or belongs to another user.
  }
}

/**
 * The processes of one scan that belong to the tree, the oldest first: a shell that is signalled
 * after its child would take the child's end for its cue to go on.
 */
export function selectTree(scan: ProcessScan, membership: TreeMembership): ProcessEntry[] {
  const selected = withDescendants(scan, (entry) => belongs(entry, membership, scan));
  return [...selected.values()].sort((a, b) => a.startTicks - b.startTicks || a.pid - b.pid);
}

/** Processes for which a condition holds, with all below them; never this one and its children. */
export function withDescendants(
  scan: ProcessScan,
  isRoot: (entry: ProcessEntry) => boolean,
): Map<number, ProcessEntry> {
  const selected = new Map<number, ProcessEntry>();
  const open = scan.entries.filter(isRoot);
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (selected.has(entry.pid) || entry.pid === process.pid) continue;
    selected.set(entry.pid, entry);
    open.push(...(scan.childrenOf.get(entry.pid) ?? []));
  }
  return selected;
}

/**
 * Signals a process if it is still the one that was seen, or the whole group that it leads. False:
 * it is gone, not ours, or leads none.
 */
export function killChecked(
  { pid, startTicks }: ProcessEntry,
  signal: NodeJS.Signals,
  whom: 'process' | 'group' = 'process',
): boolean {
  const now = readProcess(pid);
  if (now?.startTicks !== startTicks || (whom === 'group' && now.groupId !== pid)) return false;
  try {
    return process.kill(whom === 'group' ? -pid : pid, signal);
  } catch {
    return false; // ESRCH: it has just ended. EPERM: another user's; the caller sees it again.
  }
}

/** A group's number is not given away while anybody is in it, so a later start is a member. */
function belongs(entry: ProcessEntry, membership: TreeMembership, scan: ProcessScan): boolean {
  const { groups, roots } = membership;
  // Init adopts every orphan, so all of the machine is below it; group and session 0 are its own.
  if (entry.pid === 1 || entry.groupId === 0) return false;
  if (roots.get(entry.pid) === entry.startTicks) return true;
  const groupStart =
    groups.get(entry.groupId) ?? (entry.sessionId === 0 ? undefined : groups.get(entry.sessionId));
  if (groupStart !== undefined && entry.startTicks >= groupStart) return true;
  const mark = scan.markOf(entry.pid);
  if (mark !== null && membership.hasMark(mark, entry)) return true;
  const tag = membership.hasTag === undefined ? null : scan.tagOf(entry.pid);
  return tag !== null && membership.hasTag?.(tag) === true;
}
