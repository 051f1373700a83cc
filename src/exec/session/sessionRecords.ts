import fs, { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EndedSession } from '../../domain/reasons/sessionEnd.ts';
import { counted } from '../../domain/text/counted.ts';
import { bootMs } from '../lease/bootClock.ts';
import { readLease } from '../lease/leaseFile.ts';
import { killChecked, type ProcessEntry, readProcess } from '../process/processTree.ts';
import { readStartTicks } from '../process/procStat.ts';
import { whyNotTrusted } from '../result/whyNotTrusted.ts';
import { sweepSession } from './sessionSweep.ts';

/**
 * What a node keeps of its session on its host, so that the next process of its name finds what is
 * left of it when guardian, node and launcher were all killed.
 */
interface SessionRecord {
  readonly sessionId: string;
  /** Numbers of processes mean nothing after a boot, or in another container. */
  readonly bootId: string;
  readonly pidNamespace: string;
  readonly node: ProcessId;
  readonly guardian: ProcessId | null;
  /** Of the node: where its lease can be read. */
  readonly leaseFd: number;
  /** Why its node ended, where that could still note it. */
  readonly endedWhy?: string;
}

interface ProcessId {
  readonly pid: number;
  readonly startTicks: number;
}

/** The sessions of one node name on this host. */
export interface SessionRecords {
  /** Writes down the session of this process. @throws when the folder cannot be used */
  write(session: { sessionId: string; guardianPid: number | null; leaseFd: number }): void;
  /** Adds to it why this process ends, for the next one. */
  noteEnd(sessionId: string, endedWhy: string): void;
  /**
   * Kills what is left of sessions that may not act any more: whose node is dead or past its lease,
   * and whose guardian does not see to it; jobs that are to finish are left alone. Resolves to the
   * sessions of which nothing lives, each time until they are forgotten.
   */
  sweep(): Promise<EndedSession[]>;
  forget(sessionId: string): void;
}

const suffix = '.session';
const sweepMsMax = 10_000;
const deathMsMax = 2_000;
/** What another boot or container wrote is no use to anybody after so long. */
const keptMsMax = 7 * 24 * 3_600_000;

/**
 * @param folder of this database and node name, for this user alone: as a record has processes
 *   killed and a session ended, nothing is read from one that others may write to
 */
export function openSessionRecords(folder: string, log: (line: string) => void): SessionRecords {
  const pathOf = (sessionId: string): string => join(folder, `${sessionId}${suffix}`);
  let isLogged = false;
  const trusted = (): boolean => {
    const why = whyUntrusted(folder);
    if (why !== null && !isLogged) log(`Earlier sessions of this name are not looked for: ${why}.`);
    isLogged = why !== null;
    return why === null;
  };
  return {
    write({ sessionId, guardianPid, leaseFd }) {
      const record: SessionRecord = {
        sessionId,
        ...thisPlace(),
        node: idOf(process.pid),
        guardian: guardianPid === null ? null : idOf(guardianPid),
        leaseFd,
      };
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const why = whyUntrusted(folder);
      if (why !== null) throw new Error(why);
      put(pathOf(sessionId), record);
    },
    noteEnd(sessionId, endedWhy) {
      const path = pathOf(sessionId);
      const record = readRecord(path);
      try {
        if (record !== null) put(path, { ...record, endedWhy });
      } catch {
        // The folder cannot be written any more: the next process says only that it found it dead.
      }
    },
    async sweep() {
      const gone: EndedSession[] = [];
      for (const path of pathsIn(folder, trusted)) {
        const record = readRecord(path);
        if (record === null || isFromElsewhere(record)) dropWhenOld(path);
        else if (!mayBeSwept(record)) continue;
        else if (await sweepRecord(record, log)) {
          gone.push({ sessionId: record.sessionId, why: record.endedWhy ?? null });
        }
      }
      return gone;
    },
    forget(sessionId) {
      try {
        fs.rmSync(pathOf(sessionId), { force: true });
      } catch {
        // The folder cannot be written any more: the next process finds it once more.
      }
    },
  };
}

/** No boot is outlived, so that nothing has to be on the disk; it is only to be whole. */
function put(path: string, record: SessionRecord): void {
  fs.writeFileSync(`${path}.tmp`, JSON.stringify(record), { mode: 0o600 });
  fs.renameSync(`${path}.tmp`, path);
}

function whyUntrusted(folder: string): string | null {
  const why = whyNotTrusted(fs.lstatSync(folder));
  return why === null ? null : `the folder ${folder} cannot be trusted: ${why}`;
}

function pathsIn(folder: string, trusted: () => boolean): string[] {
  try {
    if (!trusted()) return [];
    const names = fs.readdirSync(folder).filter((name) => name.endsWith(suffix));
    return names.map((name) => join(folder, name));
  } catch {
    return []; // no node of this name has been here, or nobody may know
  }
}

/** Null: it is no record, e.g. of another version. */
function readRecord(path: string): SessionRecord | null {
  try {
    const record = JSON.parse(readFileSync(path, 'utf8')) as SessionRecord;
    const { sessionId, node, guardian, leaseFd } = record;
    const ids = guardian === null ? [node] : [node, guardian];
    const numbers = [leaseFd, ...ids.flatMap(({ pid, startTicks }) => [pid, startTicks])];
    const isNamed = /^[0-9A-Za-z]+$/.test(sessionId) && basename(path) === `${sessionId}${suffix}`;
    return isNamed && numbers.every(Number.isSafeInteger) ? record : null;
  } catch {
    return null;
  }
}

function thisPlace(): Pick<SessionRecord, 'bootId' | 'pidNamespace'> {
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return { bootId, pidNamespace: fs.readlinkSync('/proc/self/ns/pid') };
}

function isFromElsewhere({ bootId, pidNamespace }: SessionRecord): boolean {
  const here = thisPlace();
  return bootId !== here.bootId || pidNamespace !== here.pidNamespace;
}

function dropWhenOld(path: string): void {
  try {
    if (Date.now() - fs.statSync(path).mtimeMs > keptMsMax) fs.rmSync(path, { force: true });
  } catch {
    // Somebody else has just dropped it.
  }
}

function idOf(pid: number): ProcessId {
  return { pid, startTicks: readStartTicks(pid) };
}

/** Null: it is dead, and the number may be another's by now. */
function findLiving({ pid, startTicks }: ProcessId): ProcessEntry | null {
  const entry = readProcess(pid);
  return entry?.startTicks === startTicks ? entry : null;
}

function mayBeSwept(record: SessionRecord): boolean {
  const node = findLiving(record.node);
  if (node?.pid === process.pid) return false;
  const guardian = record.guardian === null ? null : findLiving(record.guardian);
  // A guardian that is awake does all this itself, and starts the next process.
  const isAwake = guardian !== null && !/[Tt]/.test(guardian.state);
  if (isAwake && guardian.pid !== process.ppid) return false;
  return node === null || isLeaseOver(record);
}

function isLeaseOver(record: SessionRecord): boolean {
  let fd: number;
  try {
    fd = fs.openSync(`/proc/${record.node.pid}/fd/${record.leaseFd}`, 'r');
  } catch {
    return findLiving(record.node) === null; // else another user's, and for him to look after
  }
  try {
    const endMs = readLease(fd);
    return endMs > 0 && bootMs() > endMs && findLiving(record.node) !== null;
  } finally {
    fs.closeSync(fd);
  }
}

/** The node first, so that nothing of it is started meanwhile. True: nothing lives any more. */
async function sweepRecord(
  { sessionId, node }: SessionRecord,
  log: (line: string) => void,
): Promise<boolean> {
  const began = performance.now();
  const living = findLiving(node);
  if (living !== null) killChecked(living, 'SIGKILL');
  while (findLiving(node) !== null) {
    if (performance.now() - began > deathMsMax) return false;
    await delay(5);
  }
  const sweep = { sessionId, groups: new Map(), spares: true, patienceMs: sweepMsMax };
  const { killed, remaining } = await sweepSession(sweep);
  const tookMs = Math.round(performance.now() - began);
  const session = `The earlier session ${sessionId} of this name`;
  const count = counted(killed, 'process of it was', 'processes of it were');
  if (killed > 0) log(`${session}: ${count} killed (${tookMs} ms).`);
  if (remaining.length > 0) log(`${session}: these would not die: ${remaining.join(' ')}.`);
  return remaining.length === 0;
}
