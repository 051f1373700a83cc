import type { AnyStateMachine } from 'xstate';
import { committerMachine } from '../../statecharts/committer.ts';
import { compensatorMachine } from '../../statecharts/compensator.ts';
import { heartbeatMachine } from '../../statecharts/heartbeat.ts';
import { nodeMachine } from '../../statecharts/node.ts';
import { notifierMachine } from '../../statecharts/notifier.ts';
import { pollerMachine } from '../../statecharts/poller.ts';
import { reaperMachine } from '../../statecharts/reaper.ts';
import { schedulerMachine } from '../../statecharts/scheduler.ts';
import { slotMachine } from '../../statecharts/slot.ts';

/** Every machine that runs, in the order in which a reader should meet them. */
export const chartedMachines: readonly AnyStateMachine[] = [
  slotMachine,
  nodeMachine,
  schedulerMachine,
  committerMachine,
  heartbeatMachine,
  compensatorMachine,
  reaperMachine,
  pollerMachine,
  notifierMachine,
];
