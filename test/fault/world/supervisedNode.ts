import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeLife } from '../../checkers/history.ts';
import { faketimeEnvironment } from '../../support/findFaketime.ts';
import type { PlainProxy } from '../proxy/plainProxy.ts';
import { bootNowMs } from './bootNow.ts';
import type { FaultNode, GrowingLife } from './faultNode.ts';
import type { NodeLine } from './nodeLine.ts';
import { NodeLives } from './nodeLives.ts';
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

const lookMs = 50;
/** As a service manager would: a guardian that ended is started again. */
const startAgainMs = 500;
const logLinesKept = 200;

/**
 * One guardian with its node, kept running as a service manager would keep it, and watched: each
 * node process is a life, with what its own log said of the end.
 */
export class SupervisedNode implements FaultNode {
  readonly name: string;
  readonly line: NodeLine;
  readonly api: PlainProxy | null;
  readonly spoolFolder: string;
  readonly said: { atMs: number; text: string }[] = [];
  readonly #plan: NodePlan;
  readonly #clockFile: string;
  readonly #lives: NodeLives;
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
    this.#lives = new NodeLives(plan.name);
  }

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

  get lives(): readonly GrowingLife[] {
    return this.#lives.all;
  }

  get nodePid(): number | null {
    return this.#lives.processId;
  }

  signal(whom: 'guardian' | 'node', signal: NodeJS.Signals, fate?: string): boolean {
    const pid = whom === 'guardian' ? this.guardianPid : this.nodePid;
    return this.#lives.signal(pid, signal, fate);
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
        this.#lives.look(guardian.pid);
        await Promise.race([ended, sleep(lookMs)]);
      }
      this.#lives.end();
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

  readLives(sessionsOf: (processId: number) => readonly string[]): NodeLife[] {
    return this.#lives.read(sessionsOf, (endedMs) => this.#endingOf(endedMs));
  }

  #endingOf(endedMs: number): string | null {
    const near = this.said.filter(({ atMs }) => Math.abs(atMs - endedMs) < 1_500);
    const telling = near.filter(({ text }) =>
      /ended with|lease of|fenced|left|hint|"level":50/.test(text),
    );
    return telling.map(({ text }) => text).join(' ') || null;
  }
}
