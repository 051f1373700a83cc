import type { PresentJob } from '../../domain/jobFile/planApply.ts';

/**
 * Why a job cannot stand in a crontab, or null: cron would run it at other times, on another
 * machine, after nothing, or though it is paused. What else a crontab has no words for is left to a
 * comment.
 */
export function whyNotInCrontab({ definition, pause }: PresentJob): string | null {
  if (pause !== null) return 'it is paused';
  const { schedule, moreSchedules = [], dialect } = definition;
  if (schedule === '@manual') return 'it has no schedule';
  if (moreSchedules.length > 0) return 'it has several schedules';
  const word = Object.entries(decisive).find(([field]) => Object.hasOwn(definition, field));
  if (word !== undefined) return `a crontab has no ${word[1]}`;
  if (dialect !== undefined) return `its weekdays are those of ${dialect}`;
  return isCronSchedule(schedule) ? null : `no cron reads its schedule ${schedule}`;
}

/** Fields that decide whether, when and where a job runs, and how a person names them. */
const decisive = {
  notBefore: '--not-before',
  notAfter: '--not-after',
  exclude: '--exclude',
  kind: '--kind every-node',
  target: 'nodes to choose',
  after: '--after',
} as const;

const words = 'yearly|annually|monthly|weekly|daily|midnight|hourly';
const value = String.raw`(?:\d{1,2}|[A-Za-z]{3})`;
const item = String.raw`(?:\*|${value}-${value})(?:/\d{1,2})?|${value}`;
const field = `(?:${item})(?:,(?:${item}))*`;
const fields = new RegExp(`^(?:${field} ){4}${field}$`);
const oneWord = new RegExp(`^@(?:${words})$`);

/**
 * What every cron takes: five plain fields, or one of its words. Days that it would read otherwise
 * are none of them: where one field of days begins with a star cron wants both to match, and Sunday
 * begins its week.
 */
function isCronSchedule(schedule: string): boolean {
  if (oneWord.test(schedule)) return true;
  if (!fields.test(schedule)) return false;
  const [, , day = '', , weekday = ''] = schedule.split(' ');
  const hasStar = day.startsWith('*') || weekday.startsWith('*');
  if (hasStar && day !== '*' && weekday !== '*') return false;
  return !/-(?:0|sun)/i.test(weekday);
}
