import type { Command } from 'commander';
import { Actions, type SetExitCode } from '../connect/actions.ts';
import { readDurationMs } from '../options/readOptions.ts';

/** `statecron observe report`: two schedulers side by side. */
export function addObserveCommand(program: Command, setExitCode: SetExitCode): void {
  const observe = program
    .command('observe')
    .description('Compare observed jobs with the cron that they are to replace.');
  const report = observe
    .command('report')
    .description("Compare what an old cron's log says with what statecron would have started.")
    .requiredOption('--cron-log <file>', "syslog or journal of the old cron; '-': standard input")
    .option(
      '--since <duration>',
      'compare what was due within this time before now (24h)',
      readDurationMs,
    );
  const actions = new Actions(() => import('./reportAction.ts'), setExitCode);
  actions.cluster(report, reporting, (module) => module.reportAction);
}

const reporting = `
  $ statecron observe report --cron-log /var/log/syslog
  $ journalctl -u cron -o short-iso --since -1d | statecron observe report --cron-log -
It looks at observed jobs alone, while they were observed, by minute, command and user. Times
of a log without a zone are read in this machine's. Ends with 1 when there are differences.`;
