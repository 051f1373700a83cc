const byBug = 'an actor of ours ends in an error only by a bug, and then everything has to end';
const neverFinal = 'it has no final state; were it to get one, the node must not go on without it';
const noSender =
  'a simulated world sends nothing; the tests of notifications take it with real nodes';
const oneAnswer = 'the state that requests leaves by nothing but the one answer';
const drainedOnce = 'the node requests a drain once, the second time for a stop';

/**
 * Transitions that no simulated world takes, and why; the pure tests of the charts take them. Keys
 * are `transitionKey`'s.
 */
export const notSimulated: Readonly<Record<string, string>> = {
  'node.live xstate.error.actor.heartbeat': byBug,
  'node.live xstate.error.actor.committer': byBug,
  'node.live xstate.error.actor.compensator': byBug,
  'node.live xstate.error.actor.reaper': byBug,
  'node.live xstate.error.actor.recorder': byBug,
  'node.live xstate.error.actor.courier': byBug,
  'node.live xstate.error.actor.cleaner': byBug,
  'node.live xstate.error.actor.notifier': byBug,
  'node.live xstate.error.actor.scheduler': byBug,
  'node.live xstate.done.actor.compensator': neverFinal,
  'node.live xstate.done.actor.reaper': neverFinal,
  'node.live xstate.done.actor.recorder': neverFinal,
  'node.live xstate.done.actor.courier': neverFinal,
  'node.live xstate.done.actor.cleaner': neverFinal,
  'node.live xstate.done.actor.notifier': neverFinal,
  'node.live xstate.done.actor.committer':
    'kill comes before reap: who was ended by others has no lease to commit under any more',
  'committer.committing xstate.done.actor.batch':
    'kill comes before reap: who was ended by others has no lease to commit under any more',
  'scheduler scheduler.wake':
    'a simulated world has no chains and no pauses that end, which are what the courier starts',
  'scheduler claim.refused': 'a claim takes what there is, and is never refused',
  'scheduler.claiming claim.refused': 'a claim takes what there is, and is never refused',
  'scheduler.stopping scheduler.drain': drainedOnce,
  'scheduler.draining scheduler.drain': drainedOnce,
  'notifier.taking xstate.done.actor.take': noSender,
  'notifier.taking xstate.error.actor.take': noSender,
  'notifier.sending xstate.done.actor.send': noSender,
  'notifier.sending xstate.error.actor.send': noSender,
  'notifier.settling xstate.done.actor.settle': noSender,
  'notifier.settling xstate.error.actor.settle': noSender,
  'notifier.settling xstate.error.actor.settle else 1': noSender,
  'notifier.waiting xstate.after.retryPause.notifier.waiting': noSender,
  'reaper reap.committed': oneAnswer,
  'reaper.reaping reap.refused': 'a session that has ended is never live again',
};
