import { type Command, InvalidArgumentError, Option } from 'commander';
import { jobStates } from '../../domain/run/jobState.ts';
import { Actions, type SetExitCode } from '../connect/actions.ts';
import { collect, readNumber } from '../options/readOptions.ts';
import { readEnd } from '../options/readTime.ts';

/** The flags by which a command about one job is about all that match instead. */
export function addBulkOptions(command: Command): Command {
  const filtered = command
    .option('--group <name>', 'instead of NAME: every job of this group of jobs')
    .option('--tag <word>', 'instead of NAME: every job with this tag; of several all', collect)
    .option('--text <text>', 'instead of NAME: every job with this text in its name')
    .option('--failed', 'instead of NAME: every job whose last run failed, timed out or was lost')
    .addOption(
      new Option('--state <state>', 'instead of NAME: every job in this state').choices(jobStates),
    );
  return addConfirmation(filtered);
}

/** How a command about many jobs is confirmed. */
function addConfirmation(command: Command): Command {
  return command
    .option('--expect <number>', 'do it only if just so many jobs match', readNumber(0, 1e9))
    .option('--yes', 'do it, however many jobs match')
    .option('--dry-run', 'print the names of the jobs that match, and change nothing');
}

/** `job go-live` and its way back. */
export function addObserving(job: Command): void {
  const actions = new Actions(() => import('./goLiveAction.ts'));
  const add = (command: string, description: string, jobs: string) => {
    const made = job
      .command(`${command} [name]`)
      .description(description)
      .option('--group <name>', `instead of NAME: every ${jobs} of this group of jobs`)
      .option('--all', `instead of NAME: every ${jobs}`);
    const many = `job ${command} --group web1`;
    const examples = [`job ${command} backup`, `${many} --dry-run`, `${many} --expect 12`];
    return { command: addConfirmation(made), examples: examples.join('\n') };
  };
  const goesLive = add(
    'go-live',
    'End the observation of a job: it runs from now on, and makes up for no tick before.',
    'observed job',
  );
  actions.cluster(goesLive.command, goesLive.examples, (module) => module.goLiveAction);
  const observes = add(
    'observe',
    'Observe a job again: its ticks are recorded, and none is started.',
    'job',
  );
  actions.cluster(observes.command, observes.examples, (module) => module.observeAction);
}

/** `statecron pause` and `statecron resume`: many jobs together. */
export function addTogetherCommands(program: Command, setExitCode: SetExitCode): void {
  const actions = new Actions(() => import('./bulkAction.ts'), setExitCode);
  const pause = addTogether(program, 'pause')
    .description(
      'Pause all jobs, or those of a group or a tag, until they are resumed together. Given ' +
        'again, it moves the end.',
    )
    .option(
      '--until <when>',
      'resume them then: 2h, 20:00 or a time, without an offset in the zone of the terminal',
      readEnd,
    )
    .option(...pauseNote);
  actions.cluster(
    pause,
    'pause --all --note "database move" --until 2h\npause --group web\npause --tag a --dry-run',
    (module) => (options) => module.togetherAction('pause', options),
  );
  const resume = addTogether(program, 'resume').description(
    'Resume just the jobs that a pause of the same has paused, and none that were paused before.',
  );
  actions.cluster(
    resume,
    'resume --all --yes\nresume --group web',
    (module) => (options) => module.togetherAction('resume', options),
  );
}

function addTogether(program: Command, name: string): Command {
  const command = program
    .command(name)
    .option('--all', 'every job')
    .option('--group <name>', 'every job of this group of jobs')
    .option('--tag <word>', 'every job with this tag', (word: string) => [word]);
  return addConfirmation(command);
}

function readNote(text: string): string {
  if (text.length <= noteCharactersMax) return text;
  throw new InvalidArgumentError(`Write at most ${noteCharactersMax} characters.`);
}

const noteCharactersMax = 80;

/** `--note`, of a pause. */
export const pauseNote = [
  '--note <text>',
  `why, for others to read; ${noteCharactersMax} characters`,
  readNote,
] as const;
