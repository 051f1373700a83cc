import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type EndedSession,
  type SessionEnd,
  sessionEnds,
} from '../../domain/reasons/sessionEnd.ts';
import { counted } from '../../domain/text/counted.ts';
import { bootMs } from '../lease/bootClock.ts';
import { RenewalRecord } from '../lease/renewalRecord.ts';
import { sweepSession } from '../session/sessionSweep.ts';
import { guardianFdName } from './guardianLink.ts';
import { readLines } from './lineReader.ts';

/** Where the guardian's lines go; absent level: info. */
export type GuardianLog = (line: string, level?: 'info' | 'warn' | 'error') => void;

/** How a node process ended, when nothing of its session lives any more. */
interface NodeEnd {
  /** As in a shell: 128 + number for a signal. */
  exitCode: number;
  /** It announced its clean end: it is not to be started again. */
  saidBye: boolean;
  /** The session that it left without `bye`, and why; null: none. */
  abandoned: EndedSession | null;
  /** False: some process would not die, so the session may not be reported as ended. */
  clean: boolean;
}

/** What a node process is given at its start. */
interface NodeStart {
  /** Of earlier processes, of which nothing lives any more. */
  readonly endedSessions: readonly EndedSession[];
  /** One line that nobody else is to see; null: nothing. */
  readonly handedOver: string | null;
}

const checkMs = 50;
const sweepMsMax = 10_000;
/** A process in an uninterruptible wait does not end; the rest is killed even so. */
const deathMsMax = 200;
/** How long a node that owes nothing may take from the end of its pipe to its own end. */
const leaveMsMax = 5_000;

/**
 * One node process under guard, in a session of its own: a terminal's Ctrl-C or Ctrl-Z reaches the
 * guardian alone, which passes on what it should, so that no signal comes twice.
 */
export class GuardedNode {
  /** Resolves after the process has ended and its session is swept. */
  readonly end: Promise<NodeEnd>;
  readonly #log: GuardianLog;
  readonly #child: ChildProcess;
  readonly #groups = new Map<number, number>();
  #sessionId: string | null = null;
  #deadlineMs = Number.POSITIVE_INFINITY;
  #bye = false;
  #killsAll = false;
  readonly #renewals = new RenewalRecord();
  /** What the node itself said of its end. */
  #ownWhy: string | null = null;
  /** Why the guardian killed it, when it did. */
  #killedFor: SessionEnd | null = null;
  #giveUpPipe: () => void = () => {};

  constructor(
    [program = process.execPath, ...args]: string[],
    env: Record<string, string | undefined>,
    start: NodeStart,
    log: GuardianLog,
  ) {
    this.#log = log;
    this.#child = spawn(program, args, {
      detached: true,
      env: { ...env, [guardianFdName]: '3' },
      stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    });
    this.end = this.#guard(start);
  }

  get alive(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** It has a lease, and may run jobs by it. */
  get serving(): boolean {
    return this.alive && Number.isFinite(this.#deadlineMs) && bootMs() <= this.#deadlineMs;
  }

  /** It is our own child and not yet reaped, so the number cannot be another process's. */
  kill(signal: NodeJS.Signals): void {
    if (this.alive) this.#child.kill(signal);
  }

  /** Sends the running process the line that it got at its start again; null: nothing. */
  handOver(line: string | null): void {
    if (line !== null && this.alive) (this.#child.stdio[3] as Socket).write(`handed ${line}\n`);
  }

  /** Ends it at once with all that it runs, jobs that outlive a fence too. */
  endAll(): void {
    this.#killsAll = true;
    this.#killedFor = { why: 'its guardian ended it at a third signal', hint: '' };
    this.kill('SIGKILL');
  }

  async #guard({ endedSessions, handedOver }: NodeStart): Promise<NodeEnd> {
    const pipe = this.#child.stdio[3] as Socket;
    const exited = exitCodeOf(this.#child);
    const closed = new Promise<void>((resolve) => {
      this.#giveUpPipe = resolve;
      pipe.once('close', () => resolve());
      this.#child.once('error', () => resolve());
    });
    pipe.on('error', () => {}); // 'close' follows.
    pipe.once('end', () => pipe.destroy());
    readLines(pipe, (line) => this.#handleLine(line));
    const secret = handedOver === null ? [] : [`handed ${handedOver}`];
    const sessions = endedSessions.flatMap(({ sessionId, unansweredBootMs, why }) => [
      `ended ${sessionId} ${why ?? ''}`,
      ...(unansweredBootMs === undefined ? [] : [`unanswered ${unansweredBootMs}`]),
    ]);
    pipe.write([...secret, ...sessions, 'ready', ''].join('\n'));
    const watch = setInterval(() => this.#checkDeadline(), checkMs);
    // All that it sent is read before anything is done about its end.
    await closed;
    pipe.destroy();
    clearInterval(watch);
    // A process on its way out closes its pipe shortly before it ends; its exit code counts.
    const leaving = this.#bye || this.#sessionId === null;
    if (leaving) await Promise.race([exited, delay(leaveMsMax, undefined, { ref: false })]);
    this.kill('SIGKILL');
    const runs = this.#groups.size;
    const clean = await this.#sweep();
    const exitCode = await exited;
    const saidBye = this.#bye;
    const abandoned = saidBye ? null : this.#reportAbandoned(runs, exitCode);
    return { exitCode, clean, saidBye, abandoned };
  }

  #handleLine(line: string): void {
    const [word, first = '', ...rest] = line.split(' ');
    const [second = ''] = rest;
    if (word === 'session') this.#sessionId = first;
    else if (word === 'deadline') this.#noteRenewal(Number(first), Number(second || bootMs()));
    else if (word === 'unrenewed') this.#renewals.failed(Number(first), rest.join(' '));
    else if (word === 'why') this.#ownWhy = line.slice('why '.length);
    else if (word === 'group') this.#groups.set(Number(first), Number(second));
    else if (word === 'gone') this.#groups.delete(Number(first));
    else if (word === 'bye') this.#bye = true;
    else this.#log(`The node sent a line that the guardian does not know: ${line}`);
  }

  /**
   * A guardian that stood still looks before it has read of the renewals meanwhile, so it reads
   * what is there before it judges: immediates come after input. It judges for the instant at which
   * it looked, since it may stand still again in between.
   */
  #checkDeadline(): void {
    const atMs = bootMs();
    if (this.#isOver(atMs)) setImmediate(() => this.#isOver(atMs) && this.#killFenced());
  }

  #isOver(atMs: number): boolean {
    return this.alive && atMs > this.#deadlineMs;
  }

  #killFenced(): void {
    this.#killedFor = this.#renewals.whyOver(bootMs());
    this.#log(`The lease of session ${this.#sessionId} is over: killing the node.`, 'warn');
    this.#deadlineMs = Number.POSITIVE_INFINITY;
    this.#bye = false;
    this.kill('SIGKILL');
    setTimeout(this.#giveUpPipe, deathMsMax);
  }

  #noteRenewal(deadlineMs: number, sentMs: number): void {
    this.#deadlineMs = deadlineMs;
    this.#renewals.confirmed(sentMs);
  }

  /** Says once why the session ended and with how many runs; returns what the next node gets. */
  #reportAbandoned(runs: number, exitCode: number): EndedSession | null {
    const sessionId = this.#sessionId;
    if (sessionId === null) return null;
    const { signalCode } = this.#child;
    const how =
      signalCode === null ? `ended with exit code ${exitCode}` : `was ended by ${signalCode}`;
    // A node that ends by itself says why before; the hint stands in its own log.
    const own = this.#ownWhy === null ? null : { why: this.#ownWhy, hint: '' };
    const { hint, why } = this.#killedFor ?? own ?? sessionEnds.processEnded(how);
    const under = runs === 0 ? '' : `, with ${runs} ${runs === 1 ? 'run' : 'runs'} under way`;
    this.#log(`Session ${sessionId} was lost${under}: ${why}. ${hint}`.trim(), 'error');
    const { unansweredMs } = this.#renewals;
    return { sessionId, why, ...(unansweredMs === null ? {} : { unansweredBootMs: unansweredMs }) };
  }

  async #sweep(): Promise<boolean> {
    if (this.#sessionId === null || this.#bye) return true;
    const began = performance.now();
    const { killed, remaining, spared } = await sweepSession({
      sessionId: this.#sessionId,
      groups: this.#groups,
      spares: !this.#killsAll,
      patienceMs: sweepMsMax,
    });
    const tookMs = Math.round(performance.now() - began);
    const isGone = remaining.length === 0;
    const left = `${counted(spared, 'run goes on that is', 'runs go on that are')} left to finish`;
    const lives = spared === 0 ? 'nothing of it lives' : `${left}, and nothing else of it lives`;
    const killing = `the guardian killed ${killed} that node and launcher had not`;
    const how = `${lives} (${killing}, ${tookMs} ms).`;
    if (isGone) this.#log(`Session ${this.#sessionId}: ${how}`);
    else this.#log(`These would not die: ${remaining.join(' ')}.`, 'error');
    return isGone;
  }
}

async function exitCodeOf(child: ChildProcess): Promise<number> {
  try {
    const [code, signal] = await once(child, 'exit');
    return code ?? 128 + constants.signals[signal as NodeJS.Signals];
  } catch {
    return 127; // It could not be started at all.
  }
}
