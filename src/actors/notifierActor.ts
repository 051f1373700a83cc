import { fromPromise } from 'xstate';
import { notifierMachine, type TakenNotifications } from '../../statecharts/notifier.ts';
import type {
  NotificationBatch,
  NotificationSender,
  NotificationsSettled,
} from '../domain/notifications/notificationStore.ts';
import type { Runtime } from './runtime/runtime.ts';

const lookPeriodMs = 1_000;
/** With jitter, so that the nodes of a cluster do not all look at once. */
const lookJitterMs = 400;
const retryPauseMs = 1_000;
/** Of a node that sends nothing, or what housekeepers cannot: mail without a server for it. */
const idlePeriodMs = 10_000;
const idleJitter = 0.4;

/** The longest that a message may take: nothing is begun that would outlast the lease. */
const sendMsMax = 40_000;

/** The notifier's chart with its effects: the outbox, and whoever sends. */
export function provideNotifier(runtime: Runtime) {
  const { monotonicNowMs, notifications, random, reports } = runtime;
  return notifierMachine.provide({
    actors: {
      takeNotifications: fromPromise<TakenNotifications>(async () => {
        const sentAtMs = monotonicNowMs();
        if (notifications === undefined) return { batches: [], leaseMs: 0, untilMs: 0 };
        const taken = await notifications.store.takeNotifications(notifications.sender.kinds);
        return { ...taken, untilMs: sentAtMs + taken.leaseMs - sendMsMax };
      }),
      sendNotifications: fromPromise<Settled, TakenNotifications>(
        async ({ input: { batches, untilMs } }) => {
          if (notifications === undefined) return [];
          const isInTime = (): boolean => monotonicNowMs() < untilMs;
          const { sender } = notifications;
          return Promise.all(batches.map((batch) => sendBatch(sender, batch, isInTime)));
        },
      ),
      settleNotifications: fromPromise<unknown, Settled>(async ({ input }) =>
        notifications?.store.settleNotifications(input),
      ),
    },
    actions: {
      reportTrouble: (_, { error }) => reports.trouble('sending notifications failed', error),
    },
    delays: {
      lookPeriod: () =>
        notifications === undefined || !runtime.housekeeping.isOwn
          ? idlePeriodMs * (1 + (random() - 0.5) * idleJitter)
          : lookPeriodMs + (random() - 0.5) * lookJitterMs,
      retryPause: retryPauseMs,
    },
  });
}

type Settled = readonly NotificationsSettled[];

/** One after the other, up to the first that fails; what is left waits for a later round. */
async function sendBatch(
  sender: NotificationSender,
  { target, messages, failures }: NotificationBatch,
  isInTime: () => boolean,
): Promise<NotificationsSettled> {
  const tried: NotificationsSettled['tried'][number][] = [];
  for (const message of messages) {
    if (!isInTime()) break;
    const outcome = await sender.send(target, message);
    tried.push({ message, outcome });
    if (!outcome.sent) break;
  }
  return { target: target.name, failures, tried };
}
