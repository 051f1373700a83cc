import type { Command } from 'commander';
import { addDatabaseOptions, addExamples } from './databaseOptions.ts';
import { addNodeOptions, checkNodeFlags, type NodeFlags } from './nodeOptions.ts';
import type { SetExitCode } from './setExitCode.ts';

/** `statecron node`. */
export function addNodeCommand(program: Command, setExitCode: SetExitCode): void {
  const node = program
    .command('node')
    .description('Run a node: it claims due jobs and executes them, until SIGTERM or Ctrl-C.');
  addDatabaseOptions(addNodeOptions(node));
  addExamples(
    node,
    `
  $ statecron node
  $ statecron node --allow-user backup --keep-days 365
  $ statecron node --name web1 --capacity 500 --concurrency 50 --session-ttl 45s
  $ statecron node --level 2 --label disk=ssd --label zone=eu
The first SIGTERM or Ctrl-C drains it: nothing more is claimed, what executes may end within
--drain-timeout; a second one stops what executes, a third one ends all at once.
A node that loses its session kills its children within 0.8 of --session-ttl, before others may
start them again.
Ends with 0 after a drain, 69 without database, 75 when fenced (--on-fenced exit) or when
another live node has its name, 78 when schema or configuration do not fit.`,
  );
  node.action(async (flags: NodeFlags) => setExitCode(await nodeAction(flags)));
}

/**
 * The process that is started becomes the guardian and runs this command again below it; that one
 * is told by its environment that it is the node. Both read the flags, so that the guardian refuses
 * a wrong one before anything is started.
 */
async function nodeAction(flags: NodeFlags): Promise<number> {
  const { nodeName } = checkNodeFlags(flags);
  const { readDatabase } = await import('./readDatabase.ts');
  const database = await readDatabase(flags);
  const { guardianFdOf } = await import('../exec/guardianLink.ts');
  const guardianFd = guardianFdOf(process.env);
  if (guardianFd === null) {
    const { guardNode } = await import('./guardNode.ts');
    return guardNode(process.argv.slice(2), process.env, flags.onFenced);
  }
  const { runNode } = await import('./runNode.ts');
  const { capacity, concurrency, level, threads } = flags;
  const labels = [...new Set(flags.label ?? [])].sort();
  const settings = {
    capacity,
    concurrency,
    horizonMs: flags.horizon,
    ttlMs: flags.sessionTtl,
    drainTimeoutMs: flags.drainTimeout,
    keep: { days: flags.keepDays, runs: flags.keepRuns, outputDays: flags.keepOutputDays },
  };
  const showRuns = flags.showRuns === true;
  const { spoolFolderOf } = await import('./spoolFolder.ts');
  const spoolFolder = spoolFolderOf(flags.spool, database, nodeName);
  const allowedUsers = flags.allowUser ?? [];
  const place = { nodeName, level, labels, allowedUsers };
  return runNode({ database, ...place, settings, threads, spoolFolder, showRuns }, guardianFd);
}
