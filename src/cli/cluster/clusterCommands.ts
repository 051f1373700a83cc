import { type Command, Option } from 'commander';
import { Actions, type SetExitCode } from '../connect/actions.ts';
import { addExamples, addJsonOption, addWideOption } from '../options/clusterOptions.ts';
import { readDurationMs } from '../options/readOptions.ts';
import { readSince } from '../options/readTime.ts';

/** `statecron cluster`. */
export function addClusterCommand(program: Command): void {
  const actions = new Actions(() => import('./clusterAction.ts'));
  const cluster = program
    .command('cluster')
    .description('Show the nodes that are live or ended lately, and what each holds.')
    .option(
      '--ended <duration>',
      'all sessions that ended within this time (the last of each node that left within 1h)',
      readDurationMs,
    );
  actions.cluster(addWideOption(cluster), looking, (module) => module.clusterAction);
  const forget = cluster
    .command('forget <node>')
    .description('Take the slots away that every-node jobs have of a node that is gone for good.');
  actions.cluster(forget, forgetting, (module) => module.forgetNodeAction);
}

const looking = `
  $ statecron cluster
  $ statecron cluster --ended 1d --json
RUNS: how many it runs of how many it may at once (node --concurrency), and how many are prepared:
the node waits for their time (node --capacity bounds both together). SHARE OF JOBS: live nodes
divide the jobs, and each looks ahead for the ticks of its own.
LEVEL: see node --level.`;

const forgetting = `
  $ statecron cluster forget web9
The ticks that it still owed stand in the history as missed. If it comes back it begins anew.`;

/** `statecron verify`. */
export function addVerifyCommand(program: Command, setExitCode: SetExitCode): void {
  const verify = program
    .command('verify')
    .description('Prove that every tick is accounted for and that no promise is broken.')
    .option('--job <name>', 'only this job, removed ones of the name included')
    .option(
      '--since <when>',
      'only ticks of the last 1h, 2d …, or since 06:00 or a time, without an offset in the ' +
        'zone of the job that is named, else of the terminal',
      readSince,
    );
  const actions = new Actions(() => import('./verifyAction.ts'), setExitCode);
  actions.cluster(verify, verifying, (module) => module.verifyAction);
}

const verifying = `
  $ statecron verify
  $ statecron verify --since 7d
  $ statecron verify --job backup --since 2030-01-31T00:00:00Z
  $ statecron verify --json | jq -r '.findings[] | [.promise, .job, .message] | @tsv'
It reads one snapshot and locks nothing, so it may run beside live nodes.
Ends with 1 when a promise is broken, 0 when none is; warnings end with 0.`;

/** `statecron machines …`: the statecharts that a node runs, to be looked at. */
export function addMachinesCommand(program: Command): void {
  const actions = new Actions(() => import('./machinesAction.ts'));
  const machines = program
    .command('machines')
    .description('List and draw the state machines that a node is made of.');
  addExamples(machines, 'machines list\nmachines show slot --format svg > slot.svg');

  const list = addJsonOption(machines.command('list').description('List the state machines.'));
  actions.plain(list, 'machines list', (module) => module.listMachinesAction);

  const show = machines
    .command('show <id>')
    .description(
      'Print one machine: its drawing as Mermaid text or SVG, or its configuration. ' +
        '`actors` and `lifecycle` are drawings alone.',
    )
    .addOption(
      new Option('--format <format>', 'how')
        .choices(['mermaid', 'svg', 'json'])
        .default('mermaid')
        .conflicts('json'),
    );
  actions.plain(addJsonOption(show), showing, (module) => module.showMachineAction);
}

const showing = `
  $ statecron machines show slot
  $ statecron machines show node --format svg > node.svg
  $ statecron machines show actors --format svg > actors.svg   # all of them, and their messages
  $ statecron machines show scheduler --format json   # its configuration`;
