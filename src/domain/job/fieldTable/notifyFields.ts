import { type NotificationEvent, notificationEvents } from '../../notifications/notification.ts';
import { checkTargetName, targetBounds } from '../../notifications/notificationTarget.ts';
import { rowsWith, under } from './field.ts';

const { choices, duration, list } = rowsWith({ format: 4 });

/** What a target is sent of a job that names it and says no more. */
export const notifyDefaults: readonly NotificationEvent[] = [
  'failure',
  'recovery',
  'missed',
  'node-lost',
];

/** Each target of a job costs a row for each notification. */
const itemsMax = 10;
const targets = { value: 'target', itemsMax, check: checkTargetName } as const;

/** Who is notified of what. */
export const notifyFields = under('Notifications:', {
  notifyTo: list(
    'notify.to',
    'a notification target for this job (see statecron notify); may be repeated',
    {
      ...targets,
      default: [],
      without: 'nobody',
    },
  ),
  notifyOn: choices(
    'notify.on',
    `the events that it is notified of (${notifyDefaults.join(',')})`,
    {
      default: [],
      choices: notificationEvents,
      without: 'of nothing',
    },
  ),
  longRunning: duration('notify.longMs', 'notify also of a run that takes longer than this', {
    without: 'nothing is too long',
    least: targetBounds.longMsMin,
    most: targetBounds.longMsMax,
  }),
  ping: list('notify.ping', 'a ping target that is called at each start and end; repeatable', {
    ...targets,
    without: 'none',
  }),
});
