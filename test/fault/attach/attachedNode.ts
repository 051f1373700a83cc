import { setTimeout as sleep } from 'node:timers/promises';
import { readProcess } from '../../../src/exec/process/processTree.ts';
import type { NodeLife } from '../../checkers/history.ts';
import type { FaultNode, GrowingLife } from '../world/faultNode.ts';
import type { NodeLine } from '../world/nodeLine.ts';
import { NodeLives } from '../world/nodeLives.ts';

const lookMs = 50;

/** A guardian with its node that somebody else has started, and whose logs somebody else has. */
export class AttachedNode implements FaultNode {
  readonly name: string;
  readonly line: NodeLine;
  readonly api = null;
  readonly spoolFolder = '';
  readonly said = [];
  readonly hasOwnClock = false;
  readonly isSpoolSmall = false;
  readonly #guardian: { readonly pid: number; readonly startTicks: number | undefined };
  readonly #lives: NodeLives;
  readonly #watcher: Promise<void>;
  #isOver = false;

  constructor(name: string, guardianPid: number, line: NodeLine) {
    this.name = name;
    this.line = line;
    this.#guardian = { pid: guardianPid, startTicks: readProcess(guardianPid)?.startTicks };
    this.#lives = new NodeLives(name);
    this.#watcher = this.#watch();
  }

  get lives(): readonly GrowingLife[] {
    return this.#lives.all;
  }

  get guardianPid(): number | null {
    const { pid, startTicks } = this.#guardian;
    const now = readProcess(pid);
    return now !== null && now.startTicks === startTicks ? pid : null;
  }

  get nodePid(): number | null {
    return this.#lives.processId;
  }

  async setClock(): Promise<void> {
    // it has none of its own
  }

  signal(whom: 'guardian' | 'node', signal: NodeJS.Signals, fate?: string): boolean {
    const pid = whom === 'guardian' ? this.guardianPid : this.nodePid;
    return this.#lives.signal(pid, signal, fate);
  }

  readLives(sessionsOf: (processId: number) => readonly string[]): NodeLife[] {
    return this.#lives.read(sessionsOf, () => null);
  }

  /** What was frozen goes on. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#watcher;
    for (const whom of ['guardian', 'node'] as const) this.signal(whom, 'SIGCONT');
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      this.#lives.look(this.guardianPid ?? undefined);
      await sleep(lookMs);
    }
  }
}
