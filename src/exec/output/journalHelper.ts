import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../shipped/shippedFiles.ts';
import { errorCode } from '../spawn/spawnFailure.ts';

/** Where journald takes entries with fields of their own. */
export const journalSocket = '/run/systemd/journal/socket';

/** A run whose entries are sent. */
interface JournalRun {
  /** An entry was not taken, and no later one is; the code of the error. */
  lost(code: string): void;
  /** All that came before the end has been sent. */
  ended(): void;
  /** Some of what waited has been sent, or all of it. */
  sent(isAll: boolean): void;
}

/** When so much waits for the helper those who write have to wait. */
const waitingBytesMax = 1024 * 1024;
/** After so long without a sign of it journald counts as stuck. */
const stuckMs = 5_000;

/** Sends entries of runs to journald by `journal.pl`, which is started for the first of them. */
export class JournalHelper {
  readonly #perlPath: string;
  readonly #socketPath: string;
  readonly #runs = new Map<number, JournalRun>();
  #helper: ChildProcessByStdio<Writable, Readable, null> | null = null;
  #lastNumber = 0;
  /** Since when an answer is missing, or more waits than is good; null: it does not. */
  #waitingSinceMs: number | null = null;

  constructor(perlPath: string, socketPath: string) {
    this.#perlPath = perlPath;
    this.#socketPath = socketPath;
  }

  /** Whether more waits than is good. */
  get isBehind(): boolean {
    return (this.#helper?.stdin.writableLength ?? 0) > waitingBytesMax;
  }

  /** Whether who writes now would wait in vain. */
  get isStuck(): boolean {
    return this.#waitingSinceMs !== null && performance.now() - this.#waitingSinceMs > stuckMs;
  }

  /** Returns the number of the run for `send`. */
  begin(run: JournalRun): number {
    this.#lastNumber = (this.#lastNumber % 0x7fff_ffff) + 1;
    this.#runs.set(this.#lastNumber, run);
    return this.#lastNumber;
  }

  /** An entry, as journald takes it; one of no bytes is the end of the run. */
  send(number: number, entry: Uint8Array): void {
    this.#helper ??= this.#start();
    const head = Buffer.allocUnsafe(8);
    head.writeUInt32BE(4 + entry.length, 0);
    head.writeUInt32BE(number, 4);
    const { stdin } = this.#helper;
    // The lines of one turn of the event loop go out in one write.
    if (stdin.writableCorked === 0) {
      stdin.cork();
      setImmediate(() => stdin.uncork());
    }
    stdin.write(head);
    stdin.write(entry);
    if (entry.length === 0 || this.isBehind) this.#waitingSinceMs ??= performance.now();
  }

  forget(number: number): void {
    this.#runs.delete(number);
  }

  close(): void {
    this.#helper?.stdin.end();
  }

  #start(): ChildProcessByStdio<Writable, Readable, null> {
    const script = fileURLToPath(programFile('src/exec/perl/journal.pl'));
    const helper = spawn(this.#perlPath, [script, this.#socketPath], {
      ...{ cwd: '/', detached: true, env: {} },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const fail = (): void => {
      if (this.#helper === helper) this.#helper = null;
      this.#waitingSinceMs = null;
      for (const run of [...this.#runs.values()]) run.lost('EPIPE');
    };
    helper.once('error', fail);
    helper.once('exit', fail);
    helper.stdin.on('error', () => undefined); // its exit follows
    helper.stdin.on('drain', () => {
      this.#waitingSinceMs = null;
      for (const run of [...this.#runs.values()]) run.sent(true);
    });
    createInterface(helper.stdout).on('line', (line) => {
      this.#waitingSinceMs = null;
      for (const run of [...this.#runs.values()]) run.sent(false);
      const [number, errno] = line.split(' ').map(Number);
      const run = this.#runs.get(number ?? 0);
      if (errno === 0) run?.ended();
      else run?.lost(errorCode(errno ?? 0));
    });
    return helper;
  }
}
