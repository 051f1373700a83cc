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
/** Of a node that sends nothing. */
const idlePeriodMs = 10_000;

/** The longest that a message may take: nothing is begun that would outlast the lease. */
const sendMsMax = 40_000;

/** The notifier's chart with its effects: the outbox, and whoever sends. */
export function provideNotifier(runtime: Runtime) {
  const { notifications, reports } = runtime;
  return notifierMachine.provide({
    actors: {
      takeNotifications: fromPromise<TakenNotifications>(async () => {
        const sentAtMs = runtime.monotonicNowMs();
        if (notifications === undefined) return nothingTaken;
        const taken = await notifications.store.takeNotifications(notifications.sender.kinds);
        return { ...taken, untilMs: sentAtMs + taken.leaseMs - sendMsMax };
      }),
      sendNotifications: fromPromise<readonly NotificationsSettled[], TakenNotifications>(
        async ({ input }) => {
          if (notifications === undefined) return [];
          const isInTime = (): boolean => runtime.monotonicNowMs() < input.untilMs;
          const each = input.batches.map((batch) =>
            sendBatch(notifications.sender, batch, isInTime),
          );
          return Promise.all(each);
        },
      ),
      settleNotifications: fromPromise<unknown, readonly NotificationsSettled[]>(
        async ({ input }) => notifications?.store.settleNotifications(input),
      ),
    },
    actions: {
      reportTrouble: (_, { error }) => reports.trouble('the outbox of notifications', error),
    },
    delays: {
      lookPeriod: () => {
        if (notifications === undefined) return idlePeriodMs;
        return lookPeriodMs + (runtime.random() - 0.5) * lookJitterMs;
      },
      retryPause: retryPauseMs,
    },
  });
}

const nothingTaken: TakenNotifications = { batches: [], leaseMs: 0, untilMs: 0 };

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
