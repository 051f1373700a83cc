import type { Command } from 'commander';
import { readChoices } from '../../domain/job/readField.ts';
import { notificationEvents } from '../../domain/notifications/notification.ts';
import { minuteDefaults, targetBounds } from '../../domain/notifications/notificationTarget.ts';
import { Actions } from '../connect/actions.ts';
import { addExamples, addWideOption } from '../options/clusterOptions.ts';
import {
  asArgument,
  durationOption,
  readDurationMs,
  readNote,
  readNumber,
} from '../options/readOptions.ts';
import { readEnd } from '../options/readTime.ts';

/** `statecron notify …`: where notifications go, and of which events. */
export function addNotifyCommand(program: Command): void {
  const notify = program
    .command('notify')
    .description('Notify of failures, recoveries, missed ticks, long runs and lost nodes.');
  addExamples(notify, overview);
  const actions = new Actions(() => import('./notifyActions.ts'));
  const add = notify
    .command('add <target>')
    .description('Add a target, by one of --mail, --webhook and --ping.')
    .option('--mail <address>', 'a mail address; nodes with --smtp-url send to it')
    .option('--webhook <url>', 'a URL that signed CloudEvents are posted to')
    .option('--ping <url>', 'a URL as healthchecks.io has it: requested at each start and end');
  actions.cluster(addRules(add), examplesOfAdd, (module) => module.addTargetAction);

  const edit = notify
    .command('edit <target>')
    .description('Change a target; what waits for it goes where it points then.')
    .option('--address <address>', 'another mail address or URL');
  // Behind the options that they negate, which else would be on by default.
  addRules(edit)
    .option('--no-on', 'nothing of jobs that do not name it')
    .option('--no-long-running', 'no run is too long');
  actions.cluster(
    edit,
    'notify edit ops --address ops@example.com',
    (module) => module.editTargetAction,
  );

  const remove = notify.command('remove <target>').description('Remove one that no job names.');
  actions.cluster(remove, 'notify remove ops', (module) => module.removeTargetAction);

  const tried = notify
    .command('test <target>')
    .description('Send it a test, from any node, and say whether it was received.')
    .addOption(
      durationOption('--wait-timeout <duration>', 'wait so long for it; 0s: not at all', 30_000),
    );
  new Actions(() => import('./testTargetAction.ts')).cluster(
    tried,
    'notify test ops',
    (module) => module.testTargetAction,
  );

  const retry = notify
    .command('retry <target>')
    .description('Try again what was given up, at once.');
  actions.cluster(retry, 'notify retry ops', (module) => module.retryNotificationsAction);

  addMuteCommands(notify);

  const list = notify.command('list').description('List the targets and their state.');
  actions.cluster(addWideOption(list), 'notify list', (module) => module.listTargetsAction);

  const log = notify
    .command('log [target]')
    .description('List notifications: sent, waiting, muted or failed; the newest first.')
    .option('--limit <number>', 'at most so many', readNumber(1, 10_000), 50);
  actions.cluster(addWideOption(log), 'notify log ops', (module) => module.listNotificationsAction);
}

/** Silence for a while. */
function addMuteCommands(notify: Command): void {
  const actions = new Actions(() => import('./muteActions.ts'));
  const mute = addMuted(notify.command('mute [job]'))
    .description('Hold back what would be sent about a job until then; it is not sent later.')
    .requiredOption(
      '--until <when>',
      '1h, 20:00 or a time, without an offset in the zone of the job, else of the terminal',
      readEnd,
    )
    .option('--note <text>', 'why, for others to read', readNote);
  actions.cluster(mute, muting, (module) => module.muteAction);

  const unmute = addMuted(notify.command('unmute [job]')).description(
    'Let notifications through again. What was held back stays so.',
  );
  actions.cluster(unmute, 'notify unmute backup', (module) => module.unmuteAction);

  const mutes = notify.command('mutes').description('List what is muted, until when and by whom.');
  actions.cluster(addWideOption(mutes), 'notify mutes', (module) => module.listMutesAction);
}

function addMuted(command: Command): Command {
  return command
    .option('--group <name>', 'instead of JOB: every job of this group of jobs')
    .option('--target <target>', 'instead of JOB: all that is sent to this target');
}

const muting = `
  $ statecron notify mute backup --until 1h --note "new disk"
  $ statecron notify mute --group web --until 2030-01-31T09:30:00Z
  $ statecron notify mute --target ops --until 8h
Failures, missed ticks, long runs and lost nodes are recorded as muted. A recovery is sent to those
who were sent its failure, also meanwhile. To a muted target nothing is sent but tests.`;

/** What `add` and `edit` have in common. */
function addRules(command: Command): Command {
  const { mail, webhook, ping } = minuteDefaults;
  return command
    .option(
      '--on <what>',
      `of every job, with commas: ${notificationEvents.join(',')} (jobs that name it)`,
      asArgument(readChoices(notificationEvents)),
    )
    .option('--long-running <duration>', 'with --on long-running: how long', readDurationMs)
    .option(
      '--per-minute <number>',
      `so many messages; more are sent as one (mail ${mail}, webhook ${webhook}, ping ${ping})`,
      readNumber(1, targetBounds.minuteMax),
    )
    .option('--secret-file <file>', 'whsec_… to sign webhooks with (a new one, shown once)');
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
