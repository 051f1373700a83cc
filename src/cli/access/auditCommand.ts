import type { Command } from 'commander';
import { Actions } from '../connect/actions.ts';
import { addWideOption } from '../options/clusterOptions.ts';
import { readNumber } from '../options/readOptions.ts';
import { readSince } from '../options/readTime.ts';

/** `statecron audit`: who changed what. */
export function addAuditCommand(program: Command): void {
  const audit = program
    .command('audit')
    .description('Show who changed what, newest first; by the API for an admin alone.')
    .option(
      '--job <name>',
      'only changes of this job, removed ones of the name included; not of its runs',
    )
    .option('--actor <name>', 'only changes by this token, or USER@HOST of a command line')
    .option(
      '--since <when>',
      'only of the last 1h, 2d …, or since 06:00 or a time, without an offset in the zone of the ' +
        'terminal',
      readSince,
    )
    .option('--limit <number>', 'at most so many', readNumber(1, 10_000), 50);
  new Actions(() => import('./auditAction.ts')).cluster(
    addWideOption(audit),
    'audit --since 1d\naudit --job backup\naudit --actor deploy --json',
    (module) => module.auditAction,
  );
}
