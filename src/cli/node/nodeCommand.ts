import type { Command } from 'commander';
import { Actions, type SetExitCode } from '../connect/actions.ts';
import { addDatabaseOptions, refuseUrl } from '../options/clusterOptions.ts';
import { addNodeOptions } from '../options/nodeOptions.ts';
import { readDurationMs, readNote } from '../options/readOptions.ts';

/** `statecron node`. */
export function addNodeCommand(program: Command, setExitCode: SetExitCode): void {
  const node = program
    .command('node')
    .description('Run a node: it claims due jobs and executes them, until SIGTERM or Ctrl-C.');
  const actions = new Actions(() => import('./nodeAction.ts'), setExitCode);
  refuseUrl(addDatabaseOptions(addNodeOptions(node)), 'it is one itself');
  actions.plain(node, running, (module) => module.nodeAction);
  addHoldCommands(node);
}

/** What keeps a node from new work, from anywhere. */
function addHoldCommands(node: Command): void {
  const actions = new Actions(() => import('../cluster/holdNodeActions.ts'));
  const drain = node
    .command('drain <node>')
    .description('Cordon a node, give back what it has prepared, wait until it executes nothing.')
    .option('--note <text>', 'why, for people', readNote)
    .option('--no-wait', 'leave when it is cordoned, whatever it executes')
    .option(
      '--wait-timeout <duration>',
      'give up after this long; it stays cordoned',
      readDurationMs,
    );
  actions.cluster(drain, draining, (module) => module.drainNodeAction);
  const cordon = node
    .command('cordon <node>')
    .description('Keep a node from new work; what it has claimed goes on.')
    .option('--note <text>', 'why, for people', readNote);
  actions.cluster(cordon, cordoning, (module) => module.cordonNodeAction);
  const uncordon = node.command('uncordon <node>').description('Let a node take work again.');
  actions.cluster(uncordon, uncordoning, (module) => module.uncordonNodeAction);
}

const draining = `
  $ statecron node drain web1 --note 'kernel upgrade' && ssh web1 sudo reboot
  $ statecron node drain web1 --wait-timeout 10m
  $ statecron node drain web1 --no-wait --json
The process stays up and other nodes take its work, also after a restart of web1, until: statecron
node uncordon web1. Ends with 0 when it executes nothing, 75 when --wait-timeout is over or somebody
uncordons it meanwhile.`;

const cordoning = `
  $ statecron node cordon web1 --note 'disk is failing'
Its level holds no other node back meanwhile. Ticks of every-node jobs that come on it while it is
cordoned are those of a node that is away: --misfire says what becomes of them, the reason is
"every node that may run it was cordoned". statecron cluster shows since when and by whom.`;

const uncordoning = `
  $ statecron node uncordon web1`;

const running = `
  $ statecron node
  $ statecron node --allow-user backup --keep-days 365
  $ statecron node --name web1 --capacity 500 --concurrency 50 --session-ttl 45s
  $ statecron node --level 2 --label disk=ssd --label zone=eu
The first SIGTERM or Ctrl-C drains it: nothing more is claimed, what executes may end within
--drain-timeout; a second one stops what executes, a third one ends all at once.
A node that hears nothing of the database for 0.8 of --session-ttl kills all of its children, before
others may start them again: it should be longer than a restart or a failover of the database takes.
Ends with 0 after a drain, 69 without database, 75 when fenced (--on-fenced exit) or when
another live node has its name, 78 when schema or configuration do not fit.`;

/** `statecron up`. */
export function addUpCommand(program: Command, setExitCode: SetExitCode): void {
  const up = program
    .command('up')
    .description('Everything in one: a private database if none is given, its schema, a node.')
    .option(
      '--data <folder>',
      'where the private database is kept (STATECRON_DATA, ~/.local/share/statecron)',
    );
  const actions = new Actions(() => import('./upAction.ts'), setExitCode);
  refuseUrl(addDatabaseOptions(addNodeOptions(up)), 'it starts one on this machine');
  actions.plain(up, starting, (module) => module.upAction);
}

const starting = `
  $ statecron up
  $ statecron up --data ./data --concurrency 8
Then, in another terminal, every other command finds the same database:
  $ statecron runs
Ctrl-C drains the node and stops the private database; the data is found again next time. A new
database gets three sample jobs; remove them with: statecron job remove --tag sample`;
