import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';

/** How a server process is started. */
export interface ServerCommand {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  /** Standard output and error are appended to it. */
  readonly log: string;
}

/** One life of a server process, from its start to its end. */
export class ServerLife {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #log: string;
  #hasEnded = false;

  private constructor(child: ChildProcess, log: string) {
    this.#child = child;
    this.#log = log;
    this.#ended = new Promise((resolve) => {
      child.once('exit', () => {
        this.#hasEnded = true;
        resolve();
      });
    });
    child.unref();
  }

  /** In a session of its own: a Ctrl-C at the terminal is not for it. */
  static async begin({ command, env, folder, log }: ServerCommand): Promise<ServerLife> {
    const [program = '', ...args] = command;
    const file = await open(log, 'a', 0o600);
    try {
      const stdio = ['ignore', file.fd, file.fd] as const;
      const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: [...stdio] });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', reject);
      });
      return new ServerLife(child, log);
    } finally {
      await file.close();
    }
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get processId(): number {
    return this.#child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    if (!this.#hasEnded) this.#child.kill(name);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#waitForEnd();
  }

  /** SIGTERM, and SIGKILL for one that takes longer than the grace. */
  async end(graceMs: number): Promise<void> {
    this.signal('SIGTERM');
    this.signal('SIGCONT'); // else one that is stopped would sleep through it
    const timer = setTimeout(() => this.signal('SIGKILL'), graceMs);
    await this.#waitForEnd();
    clearTimeout(timer);
  }

  /** What it said last, and which errors before, for error messages. */
  async lastWords(): Promise<string> {
    const text = await readFile(this.#log, 'utf8').catch(() => '');
    const lines = text.trimEnd().split('\n');
    const errors = lines.slice(0, -12).filter((line) => line.includes('ERROR'));
    return [...errors.slice(-8), ...lines.slice(-12)].join('\n').slice(-6_000);
  }

  async #waitForEnd(): Promise<void> {
    this.#child.ref();
    await this.#ended;
  }
}
