import type { NotificationEvent } from '../../domain/notifications/notification.ts';
import type {
  NotificationTarget,
  TargetKind,
} from '../../domain/notifications/notificationTarget.ts';
import type { NotificationRules } from '../../domain/policies/decideNotifications.ts';
import type { Queryable } from '../connection/queryable.ts';
import { type Column, integer, nullable, rowOf, text, wordOf } from '../rows/row.ts';

/** Words with commas between them. */
const eventList: Column<readonly NotificationEvent[]> = {
  unit: '',
  read(value) {
    const words = text.read(value);
    return words === '' ? [] : (words.split(',') as NotificationEvent[]);
  },
};

/** The columns of a target that its owner sets. */
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

/**
 * What targets are notified of for every job, as this process read it last: with each look at the
 * outbox, about once a second. So no transaction of a slot reads it, but the very first one.
 */
export class NotificationCache {
  #rules: NotificationRules | null = null;

  /** Those of the last look. */
  async rules(database: Queryable): Promise<NotificationRules> {
    this.#rules ??= rulesOf(await database.rows(rowOf(targetColumns), selectRules));
    return this.#rules;
  }

  /** Takes the targets as they are now. */
  keep(targets: readonly NotificationTarget[]): void {
    this.#rules = rulesOf(targets);
  }
}

function rulesOf(targets: readonly NotificationTarget[]): NotificationRules {
  return targets.flatMap(({ name, events, longMs }) =>
    events.length === 0 ? [] : [{ target: name, events, longMs }],
  );
}

const selectRules = `/* notificationRules */ SELECT ${selectTarget} FROM notice_target
  WHERE events <> ''`;
