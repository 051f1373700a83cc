import { readFileSync } from 'node:fs';
import { guardianFdName } from '../../../src/exec/guardian/guardianLink.ts';
import { readProcess } from '../../../src/exec/process/processTree.ts';
import type { NodeLife } from '../../checkers/history.ts';
import { bootNowMs } from './bootNow.ts';
import type { GrowingLife } from './faultNode.ts';

/** The processes of one node, one after the other, as its guardian's children are looked at. */
export class NodeLives {
  readonly all: GrowingLife[] = [];
  readonly #node: string;

  constructor(node: string) {
    this.#node = node;
  }

  /** The one that runs now. */
  get processId(): number | null {
    const life = this.all.at(-1);
    return life === undefined || life.endedMs !== null ? null : life.processId;
  }

  /** The node is a child of its guardian. */
  look(guardianPid: number | undefined): void {
    const pid = guardianPid === undefined ? null : childOf(guardianPid);
    if (this.processId === pid) return;
    this.end();
    if (pid === null) return;
    this.all.push({
      node: this.#node,
      sessionId: null,
      processId: pid,
      startedMs: bootNowMs(),
      endedMs: null,
      ending: null,
    });
  }

  end(): void {
    const life = this.all.at(-1);
    if (life === undefined || life.endedMs !== null) return;
    life.endedMs = bootNowMs();
    // Since the lines of its end may come after it, they are looked for when the lives are read.
  }

  /** Signals a process of the node; see FaultNode. */
  signal(pid: number | null, signal: NodeJS.Signals, fate?: string): boolean {
    if (pid === null || readProcess(pid) === null) return false;
    const life = this.all.at(-1);
    if (fate !== undefined && life !== undefined && life.endedMs === null) life.ending = fate;
    return process.kill(pid, signal);
  }

  /** @param endingOf what is known of one that nobody here has ended */
  read(
    sessionsOf: (processId: number) => readonly string[],
    endingOf: (endedMs: number) => string | null,
  ): NodeLife[] {
    return this.all.map((life) => ({
      ...life,
      sessionId: sessionsOf(life.processId).at(-1) ?? null,
      ending: life.ending ?? (life.endedMs === null ? null : endingOf(life.endedMs)),
    }));
  }
}

/** That of `statecron up` has a database server beside the node. */
function childOf(pid: number): number | null {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ');
    const node = children.find((child) => {
      return child !== '' && readFileSync(`/proc/${child}/environ`, 'latin1').includes(nodeMark);
    });
    return node === undefined ? null : Number(node);
  } catch {
    return null; // it has just ended
  }
}

const nodeMark = `${guardianFdName}=`;
