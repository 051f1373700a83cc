import { exitCodes, OperatorError } from '../domain/errors.ts';
import type { Channel } from '../store/channel.ts';
import { compareSchema } from '../store/migrate.ts';
import { verifyDatabase } from '../store/verify/verifyDatabase.ts';
import type { ClusterOptions } from './clusterOptions.ts';
import { printJson } from './print.ts';
import { printVerification, verificationJson } from './printVerification.ts';
import type { Since } from './readSince.ts';
import { makeVerifyProgress } from './verifyProgress.ts';
import { withChannel } from './withChannel.ts';

export interface VerifyCommandOptions extends ClusterOptions {
  readonly job?: string;
  readonly since?: Since;
  readonly json?: boolean;
}

/** `verify`: resolves to the exit code. */
export async function verifyAction(options: VerifyCommandOptions): Promise<number> {
  const { job, since } = options;
  const startedMs = performance.now();
  const progress = makeVerifyProgress(process.stderr);
  const verification = await withChannel(options, async (channel) => {
    await requireKnownSchema(channel);
    try {
      return await verifyDatabase(channel, {
        ...(job === undefined ? {} : { job }),
        ...(since === undefined ? {} : { sinceMs: sinceOf(since) }),
        progress: progress.show,
      });
    } finally {
      progress.end();
    }
  });
  const tookMs = Math.round(performance.now() - startedMs);
  if (options.json) printJson(verificationJson(verification, tookMs));
  else printVerification(verification, tookMs);
  return verification.broken > 0 ? exitCodes.failed : exitCodes.ok;
}

/** A later version may account for ticks in ways that this one does not know. */
async function requireKnownSchema(channel: Channel): Promise<void> {
  const { missing, unknown } = await compareSchema(channel);
  if (missing.length === 0 && unknown.length === 0) return;
  const how = missing.length > 0 ? 'older' : 'newer';
  const names = [...missing, ...unknown].join(', ');
  throw new OperatorError({
    code: `schema_${how}`,
    message: `The schema of the database is ${how} than this version: ${names}.`,
    hint:
      how === 'older' ? 'Run: statecron migrate' : 'Verify with the version that the nodes run.',
    exitCode: exitCodes.configuration,
  });
}

function sinceOf(since: Since): (nowMs: number) => number {
  return (nowMs) => ('agoMs' in since ? nowMs - since.agoMs : since.instantMs);
}
