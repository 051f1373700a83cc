import { fromPromise } from 'xstate';
import { notifierMachine } from '../../statecharts/notifier.ts';
import type {
  NoticeBatch,
  NoticeSender,
  NoticesSettled,
  NoticesTaken,
} from '../domain/notifications/noticeStore.ts';
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
  const { notices, reports } = runtime;
  let untilMs = 0;
  return notifierMachine.provide({
    actors: {
      takeNotices: fromPromise<NoticesTaken>(async () => {
        const sentAtMs = runtime.monotonicNowMs();
        if (notices === undefined) return nothingTaken;
        const taken = await notices.store.takeNotices(notices.sender.kinds);
        untilMs = sentAtMs + taken.leaseMs - sendMsMax;
        return taken;
      }),
      sendNotices: fromPromise<readonly NoticesSettled[], NoticesTaken>(async ({ input }) => {
        if (notices === undefined) return [];
        const isInTime = (): boolean => runtime.monotonicNowMs() < untilMs;
        const each = input.batches.map((batch) => sendBatch(notices.sender, batch, isInTime));
        return Promise.all(each);
      }),
      settleNotices: fromPromise<unknown, readonly NoticesSettled[]>(async ({ input }) =>
        notices?.store.settleNotices(input),
      ),
    },
    actions: {
      reportTrouble: (_, { error }) => reports.trouble('the outbox of notifications', error),
    },
    delays: {
      lookPeriod: () => {
        if (notices === undefined) return idlePeriodMs;
        return lookPeriodMs + (runtime.random() - 0.5) * lookJitterMs;
      },
      retryPause: retryPauseMs,
    },
  });
}

const nothingTaken: NoticesTaken = { batches: [], leaseMs: 0 };

/** One after the other, up to the first that fails; what is left waits for a later round. */
async function sendBatch(
  sender: NoticeSender,
  { target, messages, failures }: NoticeBatch,
  isInTime: () => boolean,
): Promise<NoticesSettled> {
  const tried: NoticesSettled['tried'][number][] = [];
  for (const message of messages) {
    if (!isInTime()) break;
    const outcome = await sender.send(target, message);
    tried.push({ message, outcome });
    if (!outcome.sent) break;
  }
  return { target: target.name, failures, tried };
}
