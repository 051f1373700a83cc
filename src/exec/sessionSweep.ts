import { setTimeout as delay } from 'node:timers/promises';
import {
  killChecked,
  type ProcessEntry,
  type ProcessScan,
  scanProcesses,
  selectTree,
} from './processTree.ts';

export interface Sweep {
  sessionId: string;
  /** Process groups of running launches: pid of the leader and its start time. */
  groups: ReadonlyMap<number, number>;
  /** Leaves alone what is to finish although its node is fenced: caretakers and all below them. */
  spares?: boolean;
  /** How long to go on when something will not die. */
  patienceMs: number;
}

export interface SweepResult {
  /** How many different processes were signalled. */
  killed: number;
  /** Processes that are still there, e.g. in an uninterruptible wait or another user's. */
  remaining: number[];
}

/**
 * Kills every process of a session until two looks in a row find nothing: what carries its mark, is
 * in one of the groups, or descends from such a process. The launchers go last, because orphans
 * that have shed their mark belong to them; as long as one lives, such orphans can be found.
 */
export async function sweepSession(sweep: Sweep): Promise<SweepResult> {
  const began = performance.now();
  const groups = new Map(sweep.groups);
  const killed = new Set<number>();
  let emptyLooks = 0;
  for (;;) {
    const found = look(sweep, groups);
    if (found.length === 0) {
      emptyLooks += 1;
      if (emptyLooks === 2) return { killed: killed.size, remaining: [] };
    } else {
      emptyLooks = 0;
      for (const entry of found) if (killChecked(entry, 'SIGKILL')) killed.add(entry.pid);
      if (performance.now() - began > sweep.patienceMs) {
        return { killed: killed.size, remaining: found.map((entry) => entry.pid) };
      }
    }
    await delay(5);
  }
}

/** The groups of the leaders that are found are remembered: their members may have no mark. */
function look({ sessionId, spares }: Sweep, groups: Map<number, number>): ProcessEntry[] {
  const scan = scanProcesses();
  const prefix = `${sessionId}:`;
  const hasMark = (mark: string) => mark.startsWith(prefix);
  const spared = spares === true ? selectSpared(scan) : new Set<number>();
  const select = () =>
    selectTree(scan, { hasMark, groups, roots: new Map() }).filter(({ pid }) => !spared.has(pid));
  let found = select();
  const known = groups.size;
  for (const { pid, groupId, startTicks } of found) {
    if (pid === groupId && !groups.has(pid)) groups.set(pid, startTicks);
  }
  if (groups.size > known) found = select();
  const launchers = found.filter((entry) => scan.markOf(entry.pid) === `${prefix}launcher`);
  const launcherPids = new Set(launchers.map((entry) => entry.pid));
  // A child between fork and exec still carries its launcher's mark.
  const others = found.filter(
    (entry) => !launcherPids.has(entry.pid) || launcherPids.has(entry.parentPid),
  );
  return others.length > 0 ? others : launchers;
}

/** A caretaker adopts the orphans of its job, so that all of it is below it, daemons too. */
function selectSpared(scan: ProcessScan): Set<number> {
  const spared = new Set<number>();
  const open = scan.entries.filter(({ pid }) => scan.isSpared(pid));
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (spared.has(entry.pid)) continue;
    spared.add(entry.pid);
    open.push(...(scan.childrenOf.get(entry.pid) ?? []));
  }
  return spared;
}
