import { type Command, Option } from 'commander';
import { Actions, type SetExitCode } from '../connect/actions.ts';
import { addJsonOption } from '../options/clusterOptions.ts';
import { collect, readNumber } from '../options/readOptions.ts';
import { readInstant } from '../options/readTime.ts';

/** `statecron next`: what a schedule means, without any database. */
export function addNextCommand(program: Command, setExitCode: SetExitCode): void {
  const next = program
    .command('next [expr]')
    .description('Print the next times of a schedule; needs no database.')
    .option(
      '--timezone <zone>',
      'IANA zone, such as Europe/London, unless the text names one (UTC)',
    )
    .option(
      '--from <when>',
      "strictly after this time, without an offset in --timezone or the terminal's zone (now)",
      readInstant,
    )
    .option('--count <number>', 'how many', readNumber(1, 10_000), 5)
    .addOption(
      new Option('--dialect <dialect>', 'how weekday numbers are read')
        .choices(['unix', 'quartz'])
        .default('unix'),
    )
    .option('--cron <expr>', 'a further schedule; may be repeated', collect)
    .addOption(
      new Option('--dst-gap <rule>', 'what happens to times that a clock change skips').choices([
        'skip',
        'shift',
      ]),
    )
    .addOption(
      new Option('--dst-fold <rule>', 'what happens to times that a clock change repeats').choices([
        'first',
        'second',
        'both',
      ]),
    )
    .option('--not-before <when>', 'no tick before this time, without an offset in the zone')
    .option('--not-after <when>', 'no tick after this time')
    .option(
      '--exclude <days>',
      'no tick on a date, dates A..B, weekdays or a cron expression; may be repeated',
      collect,
    )
    .option('--name <job>', "the job's name, which H is computed from")
    .option('--stdin', 'answer a line of JSON for each line {expr,tz,from,count,…} read');
  new Actions(() => import('./nextAction.ts'), setExitCode).plain(
    addJsonOption(next),
    `
  $ statecron next '*/5 9-17 * * MON-FRI' --timezone America/New_York
  $ statecron next '30 2 * * *' --timezone Europe/Berlin --from 2030-03-29T00:00:00Z --json
  $ statecron next '0 9 * * *' --cron '0 12 * * SAT' --exclude 2030-12-24..2030-12-26
  $ echo '{"expr":"@daily","tz":"Asia/Tokyo","count":2}' | statecron next --stdin --json
Schedules: 5 fields (minute hour day month weekday), 6 (seconds first), 7 (year last), @yearly
@monthly @weekly @daily @hourly @minutely, @every 90s, @at 2030-01-31T09:30:00Z, @manual.
Usually a set time that a clock change jumps over runs once, right after it, and one that is
repeated the first time only; every-so-often schedules skip the one and run in both passes of the
other. Lines of --stdin may have name, cron, gap, fold, notBefore, notAfter, exclude, too.`,
    (module) => module.nextAction,
  );
}
