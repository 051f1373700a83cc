import { createRoute } from '@hono/zod-openapi';
import { FieldError } from '../../domain/fieldError.ts';
import { nextOfQuestion } from '../../domain/schedule/answerNext.ts';
import type { TickMark } from '../../domain/schedule/markTick.ts';
import { type Api, needs } from '../api.ts';
import { answers, jsonBody } from '../schemas/answers.ts';
import { previewBody, ticksSchema } from '../schemas/jobAskSchemas.ts';
import { slicedTicks } from './slicedTicks.ts';

const previewRoute = createRoute({
  method: 'post',
  path: '/api/v1/schedule/preview',
  operationId: 'previewSchedule',
  ...needs('viewer'),
  tags: ['schedule'],
  summary: 'What a schedule means: its next ticks',
  description: 'Changes nothing and asks no database.',
  request: { body: jsonBody(previewBody) },
  responses: answers(200, 'The ticks.', ticksSchema),
});

/** `POST /api/v1/schedule/preview`. */
export function addScheduleRoutes(api: Api): void {
  api.openapi(previewRoute, async (c) => {
    const { cron, timezone, name, dialect, dstGap, dstFold, ...rest } = c.req.valid('json');
    const { from: fromMs = Date.now(), count = 10, notBefore, notAfter, exclude } = rest;
    const [schedule = '', ...moreSchedules] = typeof cron === 'string' ? [cron] : cron;
    const question = {
      ...{ schedule, moreSchedules, timezone, jobName: name },
      ...(dialect === 'quartz' ? { dialect } : {}),
      ...(dstGap === undefined ? {} : { gap: dstGap }),
      ...(dstFold === undefined ? {} : { fold: dstFold }),
      ...(notBefore === undefined ? {} : { notBefore }),
      ...(notAfter === undefined ? {} : { notAfter }),
      ...(exclude === undefined ? {} : { exclude }),
    };
    const marks: Record<string, TickMark> = {};
    const next = await slicedTicks(
      fromMs,
      count,
      (afterMs, ticksMax) => {
        const answer = nextOfQuestion({ ...question, fromMs: afterMs, count: ticksMax });
        if ('error' in answer) throw badSchedule(answer.field, answer.error);
        Object.assign(marks, answer.marks);
        return answer.next;
      },
      Date.parse,
    );
    return c.json({ next, ...(Object.keys(marks).length === 0 ? {} : { marks }) }, 200);
  });
}

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
