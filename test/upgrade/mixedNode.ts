import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeLife } from '../checkers/history.ts';
import type { NodeLine } from '../fault/world/nodeLine.ts';
import { SupervisedNode } from '../fault/world/supervisedNode.ts';

/** The versions of the program that are there, by what they are to each other. */
export interface Programs {
  readonly old: string;
  readonly new: string;
}

export type Version = keyof Programs;

/** A node by name, of which one version at a time runs. */
export class MixedNode {
  readonly name: string;
  version: Version;
  readonly #programs: Programs;
  readonly #folder: string;
  readonly #url: string;
  readonly #ttlMs: number;
  readonly #processes: SupervisedNode[] = [];

  constructor(
    name: string,
    version: Version,
    parts: { programs: Programs; folder: string; url: string; ttlMs: number },
  ) {
    this.name = name;
    this.version = version;
    this.#programs = parts.programs;
    this.#folder = parts.folder;
    this.#url = parts.url;
    this.#ttlMs = parts.ttlMs;
  }

  get running(): SupervisedNode {
    const running = this.#processes.at(-1);
    if (running === undefined) throw new Error(`${this.name} was never started`);
    return running;
  }

  async start(): Promise<void> {
    const started = new SupervisedNode({
      name: this.name,
      line: plainLine(this.#url),
      folder: path.join(this.#folder, this.name),
      main: this.#programs[this.version],
      ttlMs: this.#ttlMs,
      faketimeLibrary: null,
      isSpoolSmall: false,
    });
    this.#processes.push(started);
    await started.start();
  }

  /** Drains what runs and starts the other version under the same name. */
  async change(): Promise<void> {
    await this.stop();
    this.version = this.version === 'old' ? 'new' : 'old';
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#processes.at(-1)?.stop();
  }

  /** Waits until a node process is there that is not the given one. */
  async comesBack(before: number | null, withinMs: number): Promise<void> {
    const began = performance.now();
    while (this.running.nodePid === null || this.running.nodePid === before) {
      if (performance.now() - began > withinMs) throw new Error(`${this.name} does not come back`);
      await sleep(50);
    }
  }

  /** Which sessions were of which version, for the count of what each ran. */
  lives(sessionsOf: (processId: number) => readonly string[]): NodeLife[] {
    return this.#processes.flatMap((process) => process.readLives(sessionsOf));
  }
}

/** Nothing stands between these nodes and their database. */
function plainLine(url: string): NodeLine {
  const arm = (): never => {
    throw new Error('there is no proxy to arm');
  };
  return { url, proxies: [], arm, each: () => undefined };
}
