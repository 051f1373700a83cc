import { fromPromise } from 'xstate';
import { type SlotContext, type StopReason, slotMachine } from '../../statecharts/slot.ts';
import type { StartRequest } from '../domain/commit/batch.ts';
import { startLeadMs } from '../domain/commit/mayWaitMs.ts';
import { howRunGivesWay } from '../domain/policies/passOverlapped.ts';
import { startBefore } from '../domain/policies/startAt.ts';
import { joinReasons, type Reason, reasons } from '../domain/reasons/reasons.ts';
import type { Launch } from '../domain/run/launch.ts';
import type { Execution } from '../domain/run/run.ts';
import { bootClockGrainMs } from '../exec/lease/bootClock.ts';
import { FencedError } from '../exec/lease/fencedError.ts';
import { backOff } from './runtime/backOff.ts';
import { requestCommit } from './runtime/requestCommit.ts';
import type { Runtime } from './runtime/runtime.ts';
import { errorOf, sendTo } from './runtime/sendTo.ts';

/** The longest wait before the clock is looked at again: it may have been stepped forward. */
const waitMsMax = 5_000;
/** Half of what a start may be late after its stripe was let go. */
const earlyPauseMsMax = 500;
/** The estimate of the database's clock may be a little ahead: a look too early sees nothing. */
const watchLagMs = 5;
/** A timer of the process is set for the next tick only when it is as near as this. */
const watchMsMax = 24 * 3_600_000;
const retryPauseMsMin = 20;
const retryPauseMsMax = 1_000;

/** The slot's chart with its effects: messages to committer and scheduler, a child on the pool. */
export function provideSlot(runtime: Runtime) {
  const { clock, executor, late, lease, reports } = runtime;
  return slotMachine.provide({
    actors: {
      runCommand: fromPromise<Execution, Launch>(({ input }) => runCommand(runtime, input)),
    },
    actions: {
      requestPermit: ({ context, system }) =>
        sendTo(system, 'scheduler', { type: 'permit.request', launchId: context.launch.launchId }),
      returnPermit: ({ context, system }) =>
        sendTo(system, 'scheduler', { type: 'permit.return', launchId: context.launch.launchId }),
      requestStart: ({ context, self, system }) =>
        requestCommit(system, self, startRequest(context.launch, clock.nowMs())),
      requestFinish: ({ context, self, system }) => {
        const execution = executionOf(runtime, context);
        const { slotId, stripe, launchId, definition } = context.launch;
        const result = { launchId, execution, endedMs: endOf(runtime, execution) };
        // Its caretaker has written a file of its own, which must go in the end.
        late?.keeper.hold(result, definition.onFence === 'finish');
        requestCommit(system, self, { kind: 'finish', slotId, stripe, ...result });
      },
      requestReset: ({ context, self, system }) => {
        const { slotId, stripe, launchId } = context.launch;
        requestCommit(system, self, { kind: 'reset', why: 'draining', slotId, stripe, launchId });
      },
      stopCommand: ({ context: { launch, stopped } }) =>
        executor.stop(launch.launchId, stopped === 'terminate' ? 'at once' : 'with grace'),
      watchNextTick: ({ context, system }) =>
        watchNextTick(runtime, context.launch, () =>
          sendTo(system, 'compensator', { type: 'compensator.look' }),
        ),
      reportFailure: ({ event, system }) => {
        const error = errorOf(event);
        // A lease that is over is the heartbeat's and the guardian's to act on. One that was over
        // for the launcher alone was renewed just then: what it did not start is reset.
        if (lease.leftMs() <= 0 || error instanceof FencedError) return;
        sendTo(system, 'node', { type: 'node.failed', error });
      },
      reportFreed: ({ context: { execution, launch }, system }) => {
        late?.keeper.release(launch.launchId);
        const { endedBootMs = null } = execution ?? {};
        if (endedBootMs !== null) reports.resultRecorded?.(lease.readBootClockMs() - endedBootMs);
        sendTo(system, 'scheduler', { type: 'slot.freed', launch });
      },
    },
    guards: { tickHasCome: ({ context: { launch } }) => untilStartMs(runtime, launch) <= 0 },
    delays: {
      untilTick: ({ context: { launch } }) =>
        Math.min(waitMsMax, Math.max(0, Math.ceil(untilStartMs(runtime, launch)))),
      earlyPause: ({ context }) => Math.min(earlyPauseMsMax, 2 ** Math.min(context.tries, 10)),
      retryPause: ({ context }) =>
        backOff(retryPauseMsMin, retryPauseMsMax, context.tries, runtime.random()),
    },
  });
}

function untilStartMs({ clock }: Runtime, { startAtMs }: Launch): number {
  return startAtMs - startLeadMs - clock.nowMs();
}

async function runCommand(runtime: Runtime, launch: Launch): Promise<Execution> {
  const { clock, executor, late, lease, reports, roster } = runtime;
  const beganMs = runtime.monotonicNowMs();
  reports.runStarted?.(launch, clock.nowMs() - launch.startAtMs);
  const ended = await executor.run(launch);
  const { endedBootMs = lease.readBootClockMs() } = ended;
  const execution = { ...(late?.keeper.admit(ended) ?? ended), endedBootMs };
  const tookMs = runtime.monotonicNowMs() - beganMs;
  roster.noteRun(launch.launchId, tookMs);
  reports.runEnded(launch, execution, tookMs);
  return execution;
}

/**
 * A run that gives way to its job's next tick is looked at when that has come; further ahead the
 * look of the period is soon enough.
 */
function watchNextTick({ actorClock, clock }: Runtime, launch: Launch, look: () => void): void {
  const { cursorMs, definition } = launch;
  if (cursorMs === null || howRunGivesWay(definition) === null) return;
  const leftMs = cursorMs - clock.nowMs() + watchLagMs;
  if (leftMs <= watchMsMax) actorClock.setTimeout(look, Math.max(0, leftMs));
}

function startRequest(launch: Launch, nowMs: number): StartRequest {
  const { slotId, stripe, launchId, definition, scheduledForMs, startAtMs } = launch;
  const startBeforeMs = startBefore(definition, launch, startAtMs);
  const waitUntilMs = startAtMs > nowMs ? startAtMs : null;
  const request: StartRequest = { kind: 'start', slotId, stripe, launchId, waitUntilMs, launch };
  if (startAtMs <= scheduledForMs && startBeforeMs === null) return request;
  return {
    ...request,
    ...(startAtMs > scheduledForMs ? { isDelayed: true } : {}),
    ...(startBeforeMs === null ? {} : { startBeforeMs }),
  };
}

/** What the command came to; what it was stopped for is said first. */
function executionOf(runtime: Runtime, { execution, launch, stopped }: SlotContext): Execution {
  if (execution === null) throw new Error(`${launch.launchId} finishes without an execution`);
  if (stopped === null || execution.result !== 'stopped') return execution;
  return { ...execution, reason: joinReasons(whyStopped(runtime, stopped), execution.reason) };
}

function whyStopped({ introduction, settings }: Runtime, stopped: StopReason): Reason | null {
  if (stopped === 'operator') return null;
  if (stopped !== 'drain') return reasons.replaced(stopped);
  return reasons.nodeStopped(introduction.nodeName, settings.drainTimeoutMs);
}

/** A process that was frozen hears of an end late. The boot clock's grain is never subtracted. */
function endOf({ clock, lease }: Runtime, { endedBootMs }: Execution): number {
  const agoMs = lease.readBootClockMs() - (endedBootMs ?? Number.POSITIVE_INFINITY);
  return Math.round(clock.nowMs() - Math.max(0, agoMs - bootClockGrainMs));
}
