import type { NotificationTarget } from '../../domain/notifications/notificationTarget.ts';
import type { NotificationRules } from '../../domain/policies/decideNotifications.ts';
import type { Queryable } from '../connection/queryable.ts';
import { rowOf } from '../rows/row.ts';
import { selectTarget, targetColumns } from './targetColumns.ts';

/**
 * What targets are told of every job, as this process read it last: with each look at the outbox,
 * about once a second. So no transaction of a slot asks for it, but the very first one.
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
