import { rowsWith, under } from './field.ts';

const { choice, list, text } = rowsWith({ format: 3, checkedBy: 'schedule' });
const { duration } = rowsWith({ format: 3 });

const rule = { value: 'rule', without: 'the default' } as const;
const limit = { value: 'when', without: 'no limit' } as const;

/** Which instants are ticks, and when they start. */
export const scheduleFields = under('When:', {
  dialect: choice('dialect', 'how weekday numbers are read (unix)', {
    value: 'dialect',
    default: 'unix',
    choices: { unix: '0 and 7 are Sunday', quartz: '1 is Sunday' },
  }),
  dstGap: choice('gap', 'what happens to times that a clock change skips', {
    ...rule,
    choices: {
      skip: 'times that the clock jumps over are no ticks',
      shift: 'times that the clock jumps over run right after the jump',
    },
  }),
  dstFold: choice('fold', 'what happens to times that a clock change repeats', {
    ...rule,
    choices: {
      first: 'a time that comes twice runs the first time',
      second: 'a time that comes twice runs the second time',
      both: 'a time that comes twice runs twice',
    },
  }),
  notBefore: text(
    'notBefore',
    'no tick before this time, e.g. 2030-01-31T09:30; without an offset in the zone of the job',
    limit,
  ),
  notAfter: text('notAfter', 'no tick after this time', limit),
  exclude: list(
    'exclude',
    'no tick on a date, dates A..B, weekdays or a cron expression; may be repeated',
    { value: 'days', without: 'nothing is excluded', hasLines: true },
  ),
  splay: duration('splayMs', 'start each tick later by up to this much (0s)', {
    default: 0,
    without: 'none',
    shown: 'up to {} later',
  }),
  observed: rowsWith({ format: 6 }).toggle('observed', 'record its ticks and start nothing (off)', {
    default: false,
    without: 'live',
    shown: 'its ticks are recorded, and nothing is started',
  }),
});
