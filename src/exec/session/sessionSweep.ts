import { setTimeout as delay } from 'node:timers/promises';
import { type LaunchTag, sessionTag } from '../process/launchTag.ts';
import {
  killChecked,
  type ProcessEntry,
  scanProcesses,
  selectTree,
  withDescendants,
} from '../process/processTree.ts';

interface Sweep {
  sessionId: string;
  /** Process groups of running launches: pid of the leader and its start time. */
  groups: ReadonlyMap<number, number>;
  /** Leaves alone what is to finish although its node is fenced: caretakers and all below them. */
  spares?: boolean;
  /** How long to go on when something will not die. */
  patienceMs: number;
}

interface SweepResult {
  /** How many different processes were signalled. */
  killed: number;
  /** Processes that are still there, e.g. in an uninterruptible wait or another user's. */
  remaining: number[];
  /** Launches that go on, since they are to finish although their node is fenced. */
  spared: number;
}

/** How long a launcher has to kill what is its own. Then it is killed when nothing else lives. */
const launcherMsMax = 500;

/**
 * Kills every process of a session until two looks in a row find nothing: what carries its mark or
 * tag, is in one of the groups, or descends from such a process. The launchers go last and are
 * requested to end all that is theirs: what forks on without pause is seen only by who reaps it.
 */
export async function sweepSession(sweep: Sweep): Promise<SweepResult> {
  const began = performance.now();
  const groups = new Map(sweep.groups);
  const killed = new Set<number>();
  const requested = new Set<number>();
  let emptyLooks = 0;
  for (;;) {
    const { launchers, others, spared } = look(sweep, groups);
    const tookMs = performance.now() - began;
    if (launchers.length + others.length === 0) {
      emptyLooks += 1;
      if (emptyLooks === 2) return { killed: killed.size, remaining: [], spared };
    } else {
      emptyLooks = 0;
      for (const launcher of launchers) {
        if (!requested.has(launcher.pid)) requestEnd(launcher);
        requested.add(launcher.pid);
      }
      const toKill = others.length === 0 && tookMs > launcherMsMax ? launchers : others;
      for (const entry of toKill) if (killChecked(entry, 'SIGKILL')) killed.add(entry.pid);
      if (tookMs > sweep.patienceMs) {
        const remaining = [...launchers, ...others].map(({ pid }) => pid);
        return { killed: killed.size, remaining, spared };
      }
    }
    await delay(5);
  }
}

/** It may be frozen; SIGUSR1 then waits for it and comes before anything else that it does. */
function requestEnd(launcher: ProcessEntry): void {
  killChecked(launcher, 'SIGUSR1');
  killChecked(launcher, 'SIGCONT');
}

/** The groups of the leaders that are found are remembered: their members may have no mark. */
function look({ sessionId, spares }: Sweep, groups: Map<number, number>) {
  const scan = scanProcesses();
  const prefix = `${sessionId}:`;
  const hasMark = (mark: string) => mark.startsWith(prefix);
  const ownTag = sessionTag(sessionId);
  const hasTag = (tag: LaunchTag) => tag.session === ownTag;
  // A caretaker adopts the orphans of its job, so that all of it is below it, daemons too.
  const spared = withDescendants(scan, ({ pid }) => spares === true && scan.isSpared(pid));
  const membership = { hasMark, hasTag, groups, roots: new Map() };
  const select = () => selectTree(scan, membership).filter(({ pid }) => !spared.has(pid));
  let found = select();
  const known = groups.size;
  for (const { pid, groupId, startTicks } of found) {
    if (pid === groupId && !groups.has(pid)) groups.set(pid, startTicks);
  }
  if (groups.size > known) found = select();
  const isMarked = ({ pid }: ProcessEntry) => scan.markOf(pid) === `${prefix}launcher`;
  const byPid = new Map(found.map((entry) => [entry.pid, entry]));
  // A child between fork and exec still carries its launcher's mark, and a job may forge it.
  const isBelowOne = (entry: ProcessEntry): boolean => {
    const parent = byPid.get(entry.parentPid);
    return parent !== undefined && (isMarked(parent) || isBelowOne(parent));
  };
  const launchers = found.filter((entry) => isMarked(entry) && !isBelowOne(entry));
  const others = found.filter((entry) => !launchers.includes(entry));
  const marks = [...spared.keys()].flatMap((pid) => scan.markOf(pid) ?? []).filter(hasMark);
  return { launchers, others, spared: new Set(marks).size };
}
