import type { NoticeRules } from '../../domain/notices/decideNotices.ts';
import type { NoticeEvent } from '../../domain/notices/notice.ts';
import type { Row } from '../channel.ts';
import type { Queryable } from '../queryable.ts';

/**
 * What targets are told of every job, as this process read it last: with each look at the outbox,
 * about once a second. So no transaction of a slot asks for it, but the very first one.
 */
export class NoticeCache {
  #rules: NoticeRules | null = null;

  /** Those of the last look. */
  async rules(asker: Queryable): Promise<NoticeRules> {
    this.#rules ??= rulesOf(await asker.query<Row[]>(selectRules));
    return this.#rules;
  }

  /** Takes the rows of the table as they are now. */
  keep(rows: readonly Row[]): void {
    this.#rules = rulesOf(rows);
  }
}

/** The events of a row of `notice_target`. */
export function eventsOf(row: Row): NoticeEvent[] {
  const text = row.events as string;
  return text === '' ? [] : (text.split(',') as NoticeEvent[]);
}

function rulesOf(rows: readonly Row[]): NoticeRules {
  return rows.flatMap((row) => {
    const events = eventsOf(row);
    const longMs = row.long_ms === null ? null : Number(row.long_ms);
    return events.length === 0 ? [] : [{ target: row.target_name as string, events, longMs }];
  });
}

const selectRules = `/* noticeRules */ SELECT target_name, events, long_ms FROM notice_target
  WHERE events <> ''`;
