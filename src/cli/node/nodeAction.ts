import { connectGuardian, guardianFdOf } from '../../exec/guardian/guardianLink.ts';
import { requireDatabase } from '../connect/readDatabase.ts';
import { addressOf, readHandOver } from '../options/givenDatabase.ts';
import { readHttp } from '../options/httpOptions.ts';
import { checkNodeFlags, type NodeFlags } from '../options/nodeOptions.ts';
import { readOutputs } from '../options/outputOptions.ts';
import { readSending } from '../options/sendingOptions.ts';
import { nodeLog } from '../output/nodeLog.ts';
import { spoolFolderOf } from './spoolFolder.ts';

/**
 * The process that is started becomes the guardian and runs this command again below it, marked as
 * the node by its environment. Both read the flags, so that the guardian refuses a wrong one before
 * anything is started. The secrets of the database and the mail server reach the node over their
 * pipe: its jobs can read its environment and arguments.
 */
export async function nodeAction(flags: NodeFlags): Promise<number> {
  const { nodeName } = checkNodeFlags(flags);
  readSending(flags);
  const http = readHttp(flags);
  const outputs = readOutputs(flags);
  const guardianFd = guardianFdOf(process.env);
  if (guardianFd === null) {
    const given = await requireDatabase(flags);
    // A URL that cannot be used is refused before anything is started.
    const folder = spoolFolderOf(flags.spool, addressOf(given), nodeName);
    const { guardNode } = await import('./guardNode.ts');
    const { openSessionRecords } = await import('../../exec/session/sessionRecords.ts');
    // What outlived an earlier guardian is ended before anything else.
    await openSessionRecords(folder, nodeLog.warn).sweep();
    const database = { given, readAgain: () => requireDatabase(flags) };
    return guardNode(process.argv.slice(2), process.env, flags.onFenced, database);
  }
  const link = connectGuardian(guardianFd);
  const given = await link.handedOver;
  const readAgain = (text: string) => {
    const handed = readHandOver(text);
    const sending = readSending(flags, { ...process.env, ...handed.secrets });
    return { database: addressOf(handed), flags: handed.flags ?? '', sending };
  };
  // A guardian of an earlier version hands nothing over.
  const handed =
    given === null
      ? {
          database: addressOf(await requireDatabase(flags)),
          flags: '',
          sending: readSending(flags),
        }
      : readAgain(given);
  const { database } = handed;
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
  const ways = { http, spoolFolder, outputs, showRuns, readAgain };
  return runNode({ ...handed, ...place, settings, threads, ...ways }, link);
}
