import type { NotificationEvent } from '../../domain/notifications/notification.ts';
import type { TargetKind } from '../../domain/notifications/notificationTarget.ts';
import { type Column, integer, nullable, text, wordOf } from '../rows/row.ts';

/** Words with commas between them. */
const eventList: Column<readonly NotificationEvent[]> = {
  unit: '',
  read(value) {
    const words = text.read(value);
    return words === '' ? [] : (words.split(',') as NotificationEvent[]);
  },
};

/** What the row of a target says that its owner has said. */
export const targetColumns = {
  name: text,
  kind: wordOf<TargetKind>(),
  address: text,
  secret: nullable(text),
  events: eventList,
  longMs: nullable(integer),
  minuteMax: integer,
};
export const selectTarget = `notice_target.target_name AS name, notice_target.kind,
    notice_target.address, notice_target.secret, notice_target.events, notice_target.long_ms,
    notice_target.minute_max`;
