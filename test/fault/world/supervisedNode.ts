import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcess } from '../../../src/exec/process/processTree.ts';
import type { NodeLife } from '../../checkers/history.ts';
import { faketimeEnvironment } from '../../support/findFaketime.ts';
import type { PlainProxy } from '../proxy/plainProxy.ts';
import { bootNowMs } from './bootNow.ts';
import type { NodeLine } from './nodeLine.ts';
import { mountSmall, unmount } from './smallDisk.ts';

export interface NodePlan {
  readonly name: string;
  readonly line: NodeLine;
  /** Its HOME, its log and its spool are below. */
  readonly folder: string;
  readonly main: string;
  readonly ttlMs: number;
  /** Null: without libfaketime. */
  readonly faketimeLibrary: string | null;
  /** The spool is a small disk of its own, which can be full. */
  readonly isSpoolSmall: boolean;
  /** Before its API; null: it has none. Absent: as usual, as a version without one needs it. */
  readonly api?: PlainProxy | null;
}

type GrowingLife = { -readonly [K in keyof NodeLife]: NodeLife[K] };

const lookMs = 50;
/** As a service manager would: a guardian that ended is started again. */
const startAgainMs = 500;
const logLinesKept = 200;

/**
 * One guardian with its node, kept running as a service manager would keep it, and watched: each
 * node process is a life, with what its own log said of the end.
 */
export class SupervisedNode {
  readonly name: string;
  readonly line: NodeLine;
  /** The way to its API; null: nobody asks it. */
  readonly api: PlainProxy | null;
  readonly spoolFolder: string;
  readonly lives: GrowingLife[] = [];
  /** The last lines that guardian and node have said, with their times. */
  readonly said: { atMs: number; text: string }[] = [];
  readonly #plan: NodePlan;
  readonly #clockFile: string;
  #guardian: ChildProcess | null = null;
  #isWanted = false;
  #keeper: Promise<void> = Promise.resolve();

  constructor(plan: NodePlan) {
    this.#plan = plan;
    this.name = plan.name;
    this.line = plan.line;
    this.api = plan.api ?? null;
    this.spoolFolder = path.join(plan.folder, 'spool');
    this.#clockFile = path.join(plan.folder, 'clock');
  }

  /** False: its clock cannot be set here. */
  get hasOwnClock(): boolean {
    return this.#plan.faketimeLibrary !== null;
  }

  get isSpoolSmall(): boolean {
    return this.#plan.isSpoolSmall;
  }

  async start(): Promise<void> {
    await mkdir(this.spoolFolder, { recursive: true });
    await this.setClock(0);
    if (this.isSpoolSmall) await mountSmall(this.spoolFolder);
    this.#isWanted = true;
    this.#keeper = this.#keep();
  }

  /** The node's wall clock against the machine's from now on, in whole seconds. */
  async setClock(offsetSeconds: number): Promise<void> {
    const sign = offsetSeconds < 0 ? '-' : '+';
    // Renamed into place, since the node reads it at each look at its clock.
    await writeFile(`${this.#clockFile}.new`, `${sign}${Math.abs(offsetSeconds)}\n`);
    await rename(`${this.#clockFile}.new`, this.#clockFile);
  }

  get guardianPid(): number | null {
    const guardian = this.#guardian;
    if (guardian === null || guardian.exitCode !== null || guardian.signalCode !== null)
      return null;
    return guardian.pid ?? null;
  }

  /** The node process that runs now; null between two of them. */
  get nodePid(): number | null {
    const life = this.lives.at(-1);
    return life === undefined || life.endedMs !== null ? null : life.processId;
  }

  /**
   * Signals the guardian or the node process; false when there is none.
   * @param fate told as the life's ending, for signals that end it
   */
  signal(whom: 'guardian' | 'node', signal: NodeJS.Signals, fate?: string): boolean {
    const pid = whom === 'guardian' ? this.guardianPid : this.nodePid;
    if (pid === null || readProcess(pid) === null) return false;
    const life = this.lives.at(-1);
    if (fate !== undefined && life !== undefined && life.endedMs === null) life.ending = fate;
    return process.kill(pid, signal);
  }

  /** Drains and ends it, or kills it after a while; it is not started again. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    const began = performance.now();
    for (let pid = this.guardianPid; pid !== null; pid = this.guardianPid) {
      this.signal('node', 'SIGCONT');
      const forMs = performance.now() - began;
      process.kill(pid, forMs < 8_000 ? 'SIGTERM' : 'SIGKILL');
      await sleep(2_000, undefined, { ref: false });
    }
    await this.#keeper;
    if (this.isSpoolSmall) await unmount(this.spoolFolder);
  }

  async #keep(): Promise<void> {
    while (this.#isWanted) {
      const guardian = this.#spawn();
      const ended = new Promise<void>((resolve) => guardian.once('close', () => resolve()));
      let isOver = false;
      void ended.then(() => {
        isOver = true;
      });
      while (!isOver) {
        this.#lookAtNode(guardian.pid);
        await Promise.race([ended, sleep(lookMs)]);
      }
      this.#endLife();
      if (this.#isWanted) await sleep(startAgainMs); // as systemd's RestartSec
    }
  }

  #spawn(): ChildProcess {
    const { api, folder, main, name, ttlMs, line, faketimeLibrary } = this.#plan;
    const args = ['node', '--name', name, '--session-ttl', `${ttlMs}ms`, '--drain-timeout', '3s'];
    if (api !== undefined) args.push('--http', api === null ? 'off' : `${api.targetPort}`);
    const guardian = spawn(process.execPath, [main, ...args], {
      env: {
        PATH: process.env.PATH ?? '/usr/bin:/bin',
        HOME: folder,
        // Where SIGUSR1 opens the inspector: any free port.
        NODE_OPTIONS: '--inspect-port=127.0.0.1:0',
        STATECRON_DATABASE_URL: line.url,
        STATECRON_SPOOL: this.spoolFolder,
        ...(faketimeLibrary === null ? {} : faketimeEnvironment(faketimeLibrary, this.#clockFile)),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      // Ctrl-C at the terminal is for the supervisor to answer.
      detached: true,
    });
    this.#guardian = guardian;
    const log = path.join(folder, 'log');
    if (guardian.stderr !== null) {
      createInterface({ input: guardian.stderr }).on('line', (text) => {
        const atMs = bootNowMs();
        appendFileSync(log, `${atMs.toFixed(0)} ${text}\n`);
        this.said.push({ atMs, text });
        if (this.said.length > logLinesKept) this.said.shift();
      });
    }
    return guardian;
  }

  /** The guardian's one child is the node. */
  #lookAtNode(guardianPid: number | undefined): void {
    const pid = guardianPid === undefined ? null : childOf(guardianPid);
    const life = this.lives.at(-1);
    const isKnown = life !== undefined && life.endedMs === null && life.processId === pid;
    if (isKnown) return;
    this.#endLife();
    if (pid === null) return;
    this.lives.push({
      node: this.name,
      sessionId: null,
      processId: pid,
      startedMs: bootNowMs(),
      endedMs: null,
      ending: null,
    });
  }

  #endLife(): void {
    const life = this.lives.at(-1);
    if (life === undefined || life.endedMs !== null) return;
    life.endedMs = bootNowMs();
    // Since the lines of its end may come after it, they are looked for when the lives are read.
  }

  /** The lives with their sessions and endings filled in. */
  readLives(sessionsOf: (processId: number) => readonly string[]): NodeLife[] {
    return this.lives.map((life) => ({
      ...life,
      sessionId: sessionsOf(life.processId).at(-1) ?? null,
      ending: life.ending ?? (life.endedMs === null ? null : this.#endingOf(life.endedMs)),
    }));
  }

  #endingOf(endedMs: number): string | null {
    const near = this.said.filter(({ atMs }) => Math.abs(atMs - endedMs) < 1_500);
    const telling = near.filter(({ text }) =>
      /ended with|lease of|fenced|left|hint|"level":50/.test(text),
    );
    return telling.map(({ text }) => text).join(' ') || null;
  }
}

function childOf(pid: number): number | null {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    return children === '' ? null : Number(children.split(' ')[0]);
  } catch {
    return null; // it has just ended
  }
}
