import type { LiveOutput } from '../../domain/commit/historyKeep.ts';
import { joinReasons, type Reason, reasons } from '../../domain/reasons/reasons.ts';
import type { Execution } from '../../domain/run/run.ts';
import { bootMs } from '../lease/bootClock.ts';
import { startLongTimer } from '../lease/longTimer.ts';
import { type KeptOutput, openOutput } from '../output/keptOutput.ts';
import { openSink, type SinkTools } from '../output/openSink.ts';
import type { OutputSink } from '../output/outputSink.ts';
import { type UserRights, whyNotAsUser } from '../request/runOwnership.ts';
import type { RunRequest } from '../request/runRequest.ts';
import type {
  Child,
  ChildExit,
  ChildListener,
  ChildPlan,
  Spawner,
  SpawnFailure,
} from '../spawn/spawner.ts';
import { describeSpawnFailure } from '../spawn/spawnFailure.ts';
import type { RunTree } from '../terminate/attributeStrays.ts';
import type {
  ProcessTreeTerminator,
  TerminationResult,
  TerminationSchedule,
} from '../terminate/processTreeTerminator.ts';
import { exitNote } from './exitNote.ts';
import { planChild } from './planChild.ts';

/** Why a run was ended; the first wins, `fenced` beats all. `killed`: without SIGTERM before. */
export type EndReason = 'timed_out' | 'stopped' | 'killed' | 'fenced';

export interface SupervisorTools extends SinkTools {
  spawner: Spawner;
  terminator: ProcessTreeTerminator;
  nodeEnv: Record<string, string | undefined>;
  rights: UserRights;
  /** Nothing may be started any more: the node kills everything. */
  isHalted: () => boolean;
  /** Called with a line of the guardian's protocol right after the spawn and when all is gone. */
  reportToGuardian: (line: string) => void;
}

/** How long what bash left running may take to end by itself, e.g. `>(tee file)` its last lines. */
const settleMs = 250;

/** The life of one run: spawn, output, timeout or stop, exit, and the end of what is left of it. */
export class RunSupervisor implements ChildListener {
  readonly done: Promise<Execution | 'fenced'>;
  readonly #request: RunRequest;
  readonly #tools: SupervisorTools;
  readonly #output: KeptOutput;
  /** Null: the database alone keeps what it prints. */
  readonly #whole: OutputSink | null;
  #resolve: (outcome: Execution | 'fenced') => void = () => {};
  #plan: ChildPlan | null = null;
  #child: Child | null = null;
  #tree: RunTree | null = null;
  #ending: { reason: EndReason; atMs: number; killed: boolean } | null = null;
  #exited = false;
  #outputEnded: (() => void) | null = null;
  #cancelTimeout = () => {};
  #cancelKill = () => {};

  constructor(request: RunRequest, tools: SupervisorTools) {
    this.#request = request;
    this.#tools = tools;
    this.#whole = openSink(request, tools, (isHeld) => this.#child?.holdOutput(isHeld));
    this.#output = openOutput(request, this.#whole);
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const whyNot = whyNotHere(request, tools);
    const plan = whyNot === null ? planChild(request, tools.nodeEnv) : { refusal: whyNot };
    if ('refusal' in plan) this.#settle(notSpawned(plan.refusal));
    else if (tools.isHalted()) this.#settle('fenced');
    else {
      this.#plan = plan;
      this.#child = tools.spawner.spawn(plan, this);
    }
  }

  /** SIGTERM to its tree, SIGKILL after the grace; killed, fenced: SIGKILL at once. */
  end(reason: EndReason): void {
    if (this.#ending !== null && (reason !== 'fenced' || this.#ending.reason === 'fenced')) return;
    this.#ending = { reason, atMs: performance.now(), killed: false };
    this.#pursue();
  }

  /** Its output so far, at most so much of the end of it. */
  liveOutput(bytesMax: number): LiveOutput {
    const { launchId } = this.#request;
    const output = this.#output.end(bytesMax);
    return { launchId, output, outputBytes: this.#output.totalBytes };
  }

  spawned(pid: number, startTicks: number): void {
    const { launchId, ownership, timeoutMs } = this.#request;
    this.#tree = { launchId, pid, startTicks, user: ownership?.user ?? null };
    this.#tools.terminator.track(this.#tree);
    this.#tools.reportToGuardian(`group ${pid} ${startTicks} ${launchId}`);
    if (timeoutMs !== null) {
      this.#cancelTimeout = startLongTimer(timeoutMs, () => this.end('timed_out'));
    }
    if (this.#ending !== null) this.#pursue();
  }

  output(bytes: Uint8Array): void {
    this.#output.append(bytes);
  }

  exited(exit: ChildExit): void {
    this.#exited = true;
    this.#cancelKill();
    if (exit.outputEnded && exit.hasStrays === false) {
      this.#settle(this.#execution(exit, null));
      return;
    }
    this.#afterExit(exit).then((execution) => this.#settle(execution));
  }

  outputEnded(): void {
    this.#outputEnded?.();
  }

  failed(failure: SpawnFailure): void {
    const plan = this.#plan as ChildPlan;
    this.#settle(notSpawned(describeSpawnFailure(failure, this.#request, plan)));
  }

  fenced(): void {
    this.#settle('fenced');
  }

  /** Carries out the requested end, as far as the run has come. */
  #pursue(): void {
    const { terminator } = this.#tools;
    if (this.#tree === null || this.#ending === null) return;
    if (this.#exited) {
      terminator.reschedule(this.#tree.launchId, this.#schedule());
      return;
    }
    this.#cancelKill();
    if (isAtOnce(this.#ending.reason)) {
      this.#kill();
      return;
    }
    terminator.signal(this.#tree, 'SIGTERM');
    this.#cancelKill = startLongTimer(this.#request.graceMs, () => this.#kill());
  }

  #kill(): void {
    if (this.#ending !== null) this.#ending.killed = true;
    this.#tools.terminator.signal(this.#tree as RunTree, 'SIGKILL');
  }

  async #afterExit(exit: ChildExit): Promise<Execution | 'fenced'> {
    const outputEnded = exit.outputEnded
      ? Promise.resolve()
      : new Promise<void>((resolve) => {
          this.#outputEnded = resolve;
        });
    let rest: TerminationResult | null = null;
    if (exit.hasStrays !== false) {
      rest = await this.#tools.terminator.waitUntilGone(this.#tree as RunTree, this.#schedule());
    }
    if (!exit.outputEnded) this.#child?.closeOutput();
    await outputEnded;
    return this.#execution(exit, rest);
  }

  #schedule(): TerminationSchedule {
    const { leftovers, graceMs } = this.#request;
    const never = Number.POSITIVE_INFINITY;
    const now = performance.now();
    if (this.#ending !== null) {
      const { reason, atMs } = this.#ending;
      const killAtMs = isAtOnce(reason) ? now : atMs + graceMs;
      return { termAtMs: atMs, killAtMs, giveUpAtMs: never };
    }
    if (leftovers === 'leave') return { termAtMs: never, killAtMs: never, giveUpAtMs: now };
    if (leftovers === 'wait') return { termAtMs: never, killAtMs: never, giveUpAtMs: never };
    const termAtMs = now + settleMs;
    return { termAtMs, killAtMs: termAtMs + graceMs, giveUpAtMs: never };
  }

  #settle(outcome: Execution | 'fenced'): void {
    this.#cancelTimeout();
    this.#cancelKill();
    if (this.#tree !== null) {
      this.#tools.terminator.untrack(this.#tree);
      this.#tools.reportToGuardian(`gone ${this.#tree.pid}`);
    }
    const ended = this.#ending?.reason === 'fenced' ? 'fenced' : outcome;
    if (this.#whole === null) this.#resolve(ended);
    else void this.#endWhole(this.#whole, ended);
  }

  /** A fenced run waits for nothing. */
  async #endWhole(whole: OutputSink, outcome: Execution | 'fenced'): Promise<void> {
    const written = whole.end();
    if (outcome === 'fenced') this.#resolve(outcome);
    else this.#resolve({ ...outcome, reason: joinReasons(outcome.reason, await written) });
  }

  #execution(exit: ChildExit, rest: TerminationResult | null): Execution {
    const { exitCode, signal } = exit;
    const ended = this.#ending?.reason ?? 'fenced';
    const own = exitCode === 0 ? 'succeeded' : 'failed';
    return {
      result: ended === 'fenced' ? own : ended === 'killed' ? 'stopped' : ended,
      exitCode,
      signal,
      reason: joinReasons(this.#endingNote(), exitNote(this.#request, exit, rest)),
      output: this.#output.render(),
      outputBytes: this.#output.totalBytes,
      endedBootMs: rest === null || rest.seen === 0 ? exit.endedBootMs : bootMs(),
    };
  }

  #endingNote(): Reason | null {
    if (this.#ending === null) return null;
    const { timeoutMs, graceMs } = this.#request;
    const { killed, reason } = this.#ending;
    if (reason === 'killed') return reasons.stopped('SIGKILL');
    const how = killed ? (`SIGTERM, then SIGKILL ${graceMs} ms later` as const) : 'SIGTERM';
    return reason === 'timed_out' ? reasons.timedOut(timeoutMs ?? 0, how) : reasons.stopped(how);
  }
}

/** Without the time that SIGTERM would give it. */
function isAtOnce(reason: EndReason): boolean {
  return reason === 'fenced' || reason === 'killed';
}

/** Why a run cannot be started by this way of spawning, or as its user here; null: it can. */
function whyNotHere({ care, ownership }: RunRequest, tools: SupervisorTools): Reason | null {
  if (care !== null && !tools.spawner.isLauncher) return reasons.caretakerNeedsPerl;
  const user = ownership?.user ?? null;
  return user === null ? null : whyNotAsUser(user, tools.rights);
}

function notSpawned(reason: Reason): Execution {
  const output = new Uint8Array(0);
  return { result: 'spawn_failed', exitCode: null, signal: null, reason, output, outputBytes: 0 };
}
