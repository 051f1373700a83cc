import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { HistoryAbout } from '../../checkers/history.ts';
import { type FaultTable, pause } from '../faultTable.ts';
import type { OwnEvidence } from '../record/makeHistory.ts';
import type { EvidencePlace } from '../record/readEvidence.ts';
import { bootNowMs } from '../world/bootNow.ts';
import type { BuiltWorld } from '../world/makeFaultWorld.ts';
import { operationsUntil } from './operationsUntil.ts';
import type { SoFar } from './soFar.ts';

export interface SoFarParts {
  readonly world: BuiltWorld;
  readonly table: FaultTable;
  readonly aboutUntil: (readMs: number) => HistoryAbout;
  /** Is told what it came to. */
  readonly judged: (soFar: SoFar) => void;
  /** Is told why it came to nothing. */
  readonly quietTrouble: (text: string) => void;
}

/** First tables and ledgers are read; what was seen meanwhile comes then, to judge with them. */
export type JudgeRequest =
  | { readonly kind: 'read'; readonly place: EvidencePlace; readonly readMs: number }
  | { readonly kind: 'judge'; readonly own: OwnEvidence };

/** `failed` says why nothing was read or judged. */
export interface JudgeReply {
  readonly soFar?: SoFar;
  readonly failed?: string;
  /** What the process has used so far. */
  readonly cpuMs?: number;
}

const everyMs = 10_000;
/** It rests so many times as long as it computed: at most a fifth of a core is used. */
const restFactor = 4;
/** Tables are read so much later than ledgers end: what a process followed from is in them. */
const settleMs = 1_000;
const lookMs = 100;
const root = path.resolve(import.meta.dirname, '../../..');

/**
 * Judges what there is of a run again and again, in a process of its own, while it goes on. Each
 * time is by what is known up to one instant; what lasts then, lasts. While the database is broken
 * nothing is judged, since a member that was cut off tells what is old.
 */
export function judgeSoFar(parts: SoFarParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const child = fork(path.join(import.meta.dirname, 'judgingProcess.ts'), {
    cwd: root,
    execArgv: ['--import', 'tsx'],
    // The last signs of life are told by a map.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  signal.addEventListener('abort', () => child.kill('SIGKILL'));
  let cpuMs = 0;
  child.on('message', (reply: JudgeReply) => {
    cpuMs = reply.cpuMs ?? cpuMs;
  });
  const judging = (async () => {
    while (!signal.aborted) {
      const beforeMs = cpuMs;
      await judgeOnce(parts, child, signal).catch((error: Error) => {
        if (!signal.aborted) parts.quietTrouble(`not judged along the way: ${error.message}`);
      });
      if (child.exitCode !== null || child.signalCode !== null) return;
      await pause(Math.max(everyMs, restFactor * (cpuMs - beforeMs)), signal);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await judging;
    },
  };
}

async function judgeOnce(
  { aboutUntil, judged, table, world }: SoFarParts,
  child: ChildProcess,
  signal: AbortSignal,
): Promise<void> {
  const isBroken = (): boolean => table.places('database').length === 0;
  if (isBroken()) return;
  const readMs = bootNowMs();
  await pause(settleMs, signal);
  const place = await world.evidencePlace();
  await ask(child, { kind: 'read', place, readMs });
  // Every row that was read has to be between two samples of the clock, or nobody knows its time.
  const endedMs = bootNowMs();
  const isPlaced = (): boolean => (world.clock.samples.at(-1)?.atMs ?? 0) > endedMs;
  while (!isPlaced() && !isBroken() && !signal.aborted) await pause(lookMs, signal);
  if (!isPlaced() || isBroken()) return;
  const own = {
    about: aboutUntil(readMs),
    clock: world.clock.samples,
    operations: operationsUntil([...world.setUp, ...world.operator.operations], readMs),
    faults: table.soFar(),
    lives: [],
  };
  const { soFar } = await ask(child, { kind: 'judge', own });
  if (soFar !== undefined && !signal.aborted) judged(soFar);
}

/** @throws Error when the process fails, or is gone */
function ask(child: ChildProcess, request: JudgeRequest): Promise<JudgeReply> {
  return new Promise((resolve, reject) => {
    const settle = (reply: JudgeReply): void => {
      child.off('message', settle).off('exit', gone);
      if (reply.failed === undefined) resolve(reply);
      else reject(new Error(reply.failed));
    };
    const gone = (): void => settle({ failed: 'its process is gone' });
    child.on('message', settle).on('exit', gone);
    child.send(request, (error) => {
      if (error !== null) settle({ failed: error.message });
    });
  });
}
