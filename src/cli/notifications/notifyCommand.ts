import type { Command } from 'commander';
import { readChoices } from '../../domain/job/readField.ts';
import { notificationEvents } from '../../domain/notifications/notification.ts';
import { minuteDefaults, targetBounds } from '../../domain/notifications/notificationTarget.ts';
import { addAction } from '../connect/addAction.ts';
import { addClusterOptions } from '../options/clusterOptions.ts';
import { addExamples, addJsonOption } from '../options/databaseOptions.ts';
import { asArgument, readDurationMs, readNumber } from '../options/readOptions.ts';

/** `statecron notify …`: who is told of what. */
export function addNotifyCommand(program: Command): void {
  const notify = program
    .command('notify')
    .description('Notify of failures, recoveries, missed ticks, long runs and lost nodes.');
  addExamples(notify, overview);
  addChanging(notify);
  addLooking(notify);
}

function addChanging(notify: Command): void {
  const add = notify
    .command('add <target>')
    .description('Add a target, by one of --mail, --webhook and --ping.')
    .option('--mail <address>', 'a mail address; nodes with --smtp-url send to it')
    .option('--webhook <url>', 'a URL that signed CloudEvents are posted to')
    .option('--ping <url>', 'a URL as healthchecks.io has it: asked for at each start and end');
  addExamples(addRules(add), examplesOfAdd);
  add.action(async (target, options) => {
    const { addTargetAction } = await import('./notifyActions.ts');
    await addTargetAction(target, options);
  });

  const edit = notify
    .command('edit <target>')
    .description('Change a target; what waits for it goes where it points then.')
    .option('--address <address>', 'another mail address or URL');
  // Behind the options that they take back, which else would be on by default.
  addRules(edit)
    .option('--no-on', 'tell it nothing of jobs that do not name it')
    .option('--no-long-running', 'no run is too long');
  addExamples(edit, '  $ statecron notify edit ops --address ops@example.com');
  edit.action(async (target, options) => {
    const { editTargetAction } = await import('./notifyActions.ts');
    await editTargetAction(target, options);
  });

  const remove = notify.command('remove <target>').description('Remove one that no job names.');
  addAction(remove, '  $ statecron notify remove ops', async (target, options) =>
    (await import('./notifyActions.ts')).removeTargetAction(target, options),
  );
}

/** What `add` and `edit` have in common. */
function addRules(command: Command): Command {
  const { minuteMax } = targetBounds;
  const { mail, webhook, ping } = minuteDefaults;
  command
    .option(
      '--on <what>',
      `of every job, with commas: ${notificationEvents.join(',')} (jobs that name it)`,
      asArgument(readChoices(notificationEvents)),
    )
    .option('--long-running <duration>', 'with --on long-running: how long', readDurationMs)
    .option(
      '--per-minute <number>',
      `so many messages; more are told in one (mail ${mail}, webhook ${webhook}, ping ${ping})`,
      readNumber(1, minuteMax),
    )
    .option('--secret-file <file>', 'whsec_… to sign webhooks with (a new one, shown once)');
  return addJsonOption(addClusterOptions(command));
}

function addLooking(notify: Command): void {
  const list = notify.command('list').description('List the targets and how it is with them.');
  addAction(list, '  $ statecron notify list', async (options) =>
    (await import('./listNotificationsActions.ts')).listTargetsAction(options),
  );

  const log = notify
    .command('log [target]')
    .description('List notifications: sent, waiting, or failed; the newest first.')
    .option('--limit <number>', 'so many (50)', readNumber(1, 10_000), 50);
  addAction(log, '  $ statecron notify log ops', async (target, options) =>
    (await import('./listNotificationsActions.ts')).listNotificationsAction(
      target ?? null,
      options,
    ),
  );

  const tried = notify.command('test <target>').description('Send it a test, from any node.');
  addAction(tried, '  $ statecron notify test ops', async (target, options) =>
    (await import('./notifyActions.ts')).testTargetAction(target, options),
  );

  const retry = notify
    .command('retry <target>')
    .description('Try again what was given up, at once.');
  addAction(retry, '  $ statecron notify retry ops', async (target, options) =>
    (await import('./notifyActions.ts')).retryNotificationsAction(target, options),
  );
}

const examplesOfAdd = `
  $ statecron notify add ops --mail ops@example.com --on failure,recovery,node-lost
  $ statecron notify add hook --webhook https://hooks.example.com/statecron
  $ statecron notify add check --ping https://hc-ping.com/5e6f…
A notification is sent until the other side has answered: once, or twice with the same id when a
node died in between. It is given up after a day.`;

const overview = `
  $ statecron notify add ops --mail ops@example.com
  $ statecron job edit backup --notify-to ops --notify-on failure,recovery
  $ statecron job edit backup --ping check
  $ statecron notify test ops
Nothing is sent to private or local addresses unless nodes are run with --webhook-allow.`;
