import type { NoticeTarget } from '../../domain/notifications/noticeTarget.ts';
import type { NoticeRules } from '../../domain/policies/decideNotices.ts';
import type { Queryable } from '../connection/queryable.ts';
import { rowOf } from '../rows/row.ts';
import { selectTarget, targetColumns } from './targetColumns.ts';

/**
 * What targets are told of every job, as this process read it last: with each look at the outbox,
 * about once a second. So no transaction of a slot asks for it, but the very first one.
 */
export class NoticeCache {
  #rules: NoticeRules | null = null;

  /** Those of the last look. */
  async rules(asker: Queryable): Promise<NoticeRules> {
    this.#rules ??= rulesOf(await asker.rows(rowOf(targetColumns), selectRules));
    return this.#rules;
  }

  /** Takes the targets as they are now. */
  keep(targets: readonly NoticeTarget[]): void {
    this.#rules = rulesOf(targets);
  }
}

function rulesOf(targets: readonly NoticeTarget[]): NoticeRules {
  return targets.flatMap(({ name, events, longMs }) =>
    events.length === 0 ? [] : [{ target: name, events, longMs }],
  );
}

const selectRules = `/* noticeRules */ SELECT ${selectTarget} FROM notice_target
  WHERE events <> ''`;
