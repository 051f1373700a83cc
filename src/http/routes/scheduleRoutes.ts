import { createRoute } from '@hono/zod-openapi';
import { FieldError } from '../../domain/fieldError.ts';
import { type Api, needs } from '../api.ts';
import { answers, jsonBody } from '../schemas/answers.ts';
import { previewBody, ticksSchema } from '../schemas/jobAskSchemas.ts';

const previewRoute = createRoute({
  method: 'post',
  path: '/api/v1/schedule/preview',
  operationId: 'previewSchedule',
  ...needs('viewer', 'look'),
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
    const answer = await c.var.calculate('previewTicks', { ...question, fromMs, count });
    if ('error' in answer) throw badSchedule(answer.field, answer.error);
    const { next, marks } = answer;
    return c.json({ next: [...next], ...(marks === undefined ? {} : { marks }) }, 200);
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
