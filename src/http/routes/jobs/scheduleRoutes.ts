import { FieldError } from '../../../domain/errors/errors.ts';
import type { scheduleContract } from '../../contract/revisionContract.ts';
import type { Handlers } from '../handling/addRoutes.ts';
import { withoutUndefined } from '../handling/withoutUndefined.ts';

export const scheduleRoutes: Handlers<typeof scheduleContract> = {
  'POST /schedule/preview': async ({ cron, timezone, name, dialect, ...rest }, c) => {
    const { from: fromMs = Date.now(), count = 10, dstGap: gap, dstFold: fold, ...bounds } = rest;
    const [schedule = '', ...moreSchedules] = typeof cron === 'string' ? [cron] : cron;
    const question = {
      ...{ schedule, moreSchedules, timezone, jobName: name, fromMs, count },
      ...(dialect === 'quartz' ? { dialect } : {}),
      ...withoutUndefined({ gap, fold, ...bounds }),
    };
    const answer = await c.var.calculate('previewTicks', question);
    if ('error' in answer) throw badSchedule(answer.field, answer.error);
    return answer;
  },
};

/** The fields of a definition as words name them, where that is another word. */
const words: Record<string, string> = {
  schedule: 'cron',
  moreSchedules: 'cron',
  gap: 'dstGap',
  fold: 'dstFold',
};

function badSchedule(field: string, error: string): FieldError {
  const word = words[field] ?? field;
  return new FieldError({
    code: `bad_${field}`,
    message: `${word}: ${error}.`,
    hint: 'Schedules have 5, 6 or 7 fields, or are @daily, @every 90s, @at ISO, @manual.',
    errors: [{ field: word, message: error }],
  });
}
