import { choice, duration, list, text, under } from './field.ts';

/** Which instants are ticks, and when they start. */
export const scheduleFields = under('When:', {
  dialect: choice('dialect', 'how weekday numbers are read (unix)', {
    format: 3,
    value: 'dialect',
    default: 'unix',
    choices: { unix: '0 and 7 are Sunday', quartz: '1 is Sunday' },
    checkedBy: 'schedule',
  }),
  dstGap: choice('gap', 'times that a clock change jumps over', {
    format: 3,
    value: 'rule',
    without: 'the default',
    choices: {
      skip: 'times that the clock jumps over are no ticks',
      shift: 'times that the clock jumps over run right after the jump',
    },
    checkedBy: 'schedule',
  }),
  dstFold: choice('fold', 'times that a clock change repeats', {
    format: 3,
    value: 'rule',
    without: 'the default',
    choices: {
      first: 'a time that comes twice runs the first time',
      second: 'a time that comes twice runs the second time',
      both: 'a time that comes twice runs twice',
    },
    checkedBy: 'schedule',
  }),
  notBefore: text('notBefore', 'no tick before, e.g. 2030-01-31T09:30:00Z', {
    format: 3,
    value: 'instant',
    without: 'no limit',
    checkedBy: 'schedule',
  }),
  notAfter: text('notAfter', 'no tick after', {
    format: 3,
    value: 'instant',
    without: 'no limit',
    checkedBy: 'schedule',
  }),
  exclude: list(
    'exclude',
    'no tick on a date, dates A..B, weekdays or a cron expression; may be repeated',
    {
      format: 3,
      value: 'days',
      without: 'nothing is excluded',
      hasLines: true,
      checkedBy: 'schedule',
    },
  ),
  splay: duration('splayMs', 'start each tick up to so much later (0s)', {
    format: 3,
    default: 0,
    without: 'none',
    shown: 'up to {} later',
  }),
});
