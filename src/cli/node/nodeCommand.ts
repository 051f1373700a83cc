import type { Command } from 'commander';
import { refuseUrl } from '../options/clusterOptions.ts';
import { addDatabaseOptions, addExamples } from '../options/databaseOptions.ts';
import { readHttp } from '../options/httpOptions.ts';
import { addNodeOptions, checkNodeFlags, type NodeFlags } from '../options/nodeOptions.ts';
import { readSending } from '../options/sendingOptions.ts';
import type { SetExitCode } from '../output/setExitCode.ts';

/** `statecron node`. */
export function addNodeCommand(program: Command, setExitCode: SetExitCode): void {
  const node = program
    .command('node')
    .description('Run a node: it claims due jobs and executes them, until SIGTERM or Ctrl-C.');
  refuseUrl(addDatabaseOptions(addNodeOptions(node)), 'it is one itself');
  addExamples(
    node,
    `
  $ statecron node
  $ statecron node --allow-user backup --keep-days 365
  $ statecron node --name web1 --capacity 500 --concurrency 50 --session-ttl 45s
  $ statecron node --level 2 --label disk=ssd --label zone=eu
The first SIGTERM or Ctrl-C drains it: nothing more is claimed, what executes may end within
--drain-timeout; a second one stops what executes, a third one ends all at once.
A node that hears nothing of the database for 0.8 of --session-ttl kills all of its children, before
others may start them again: it should be longer than a restart or a failover of the database takes.
Ends with 0 after a drain, 69 without database, 75 when fenced (--on-fenced exit) or when
another live node has its name, 78 when schema or configuration do not fit.`,
  );
  node.action(async (flags: NodeFlags) => setExitCode(await nodeAction(flags)));
}

/**
 * The process that is started becomes the guardian and runs this command again below it; that one
 * is told by its environment that it is the node. Both read the flags, so that the guardian refuses
 * a wrong one before anything is started. How to get into the database and the mail server the node
 * is told over their pipe: what stands in its environment or arguments its jobs can read.
 */
async function nodeAction(flags: NodeFlags): Promise<number> {
  const { nodeName } = checkNodeFlags(flags);
  readSending(flags);
  const http = readHttp(flags);
  const { requireDatabase } = await import('../connect/readDatabase.ts');
  const { addressOf, readHandOver } = await import('../options/givenDatabase.ts');
  const { spoolFolderOf } = await import('./spoolFolder.ts');
  const { connectGuardian, guardianFdOf } = await import('../../exec/guardian/guardianLink.ts');
  const guardianFd = guardianFdOf(process.env);
  if (guardianFd === null) {
    const given = await requireDatabase(flags);
    // A URL that cannot be used is refused before anything is started.
    const folder = spoolFolderOf(flags.spool, addressOf(given), nodeName);
    const { guardNode } = await import('./guardNode.ts');
    const { openSessionRecords } = await import('../../exec/session/sessionRecords.ts');
    const { printNote } = await import('../output/print.ts');
    // What outlived its guardian does so no longer than this process needs to begin.
    await openSessionRecords(folder, printNote).sweep();
    const database = { given, readAgain: () => requireDatabase(flags) };
    return guardNode(process.argv.slice(2), process.env, flags.onFenced, database);
  }
  const link = connectGuardian(guardianFd);
  const given = await link.handedOver;
  const readAgain = (text: string) => {
    const handed = readHandOver(text);
    const sending = readSending(flags, { ...process.env, ...handed.secrets });
    return { database: addressOf(handed), sending };
  };
  // A guardian of an earlier version hands nothing over.
  const { database, sending } =
    given === null
      ? { database: addressOf(await requireDatabase(flags)), sending: readSending(flags) }
      : readAgain(given);
  const { runNode } = await import('./runNode.ts');
  const { capacity, concurrency, level, threads } = flags;
  const labels = [...new Set(flags.label ?? [])].sort();
  const settings = {
    capacity,
    concurrency,
    horizonMs: flags.horizon,
    ttlMs: flags.sessionTtl,
    drainTimeoutMs: flags.drainTimeout,
    keep: {
      days: flags.keepDays,
      runs: flags.keepRuns,
      outputDays: flags.keepOutputDays,
      periodMs: flags.cleanPeriod,
    },
  };
  const showRuns = flags.showRuns === true;
  const spoolFolder = spoolFolderOf(flags.spool, database, nodeName);
  const allowedUsers = flags.allowUser ?? [];
  const place = { nodeName, level, labels, allowedUsers };
  const ways = { http, sending, spoolFolder, showRuns, readAgain };
  return runNode({ database, ...place, settings, threads, ...ways }, link);
}
