import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { Since } from '../../domain/verify/since.ts';
import type { Channel } from '../connection/channel.ts';
import { compareSchema } from '../schema/migrate.ts';
import { type Verification, verifyDatabase } from './verifyDatabase.ts';
import type { VerifyProgress } from './verifyJobs.ts';

export interface VerifyRequest {
  /** Only the job of this name, removed ones of the name included. */
  readonly job?: string;
  /** From when on ticks are verified; absent: from the beginning. */
  readonly since?: Since;
  /** Told every so often how far it is; what it throws ends the verification. */
  readonly progress?: (far: VerifyProgress) => void;
}

/**
 * Verifies what a database shows, if it is one that this version knows all of.
 * @throws OperatorError `schema_older`, `schema_newer` (78), `job_missing`; what the driver throws.
 */
export async function verifyCluster(
  channel: Channel,
  request: VerifyRequest,
): Promise<Verification> {
  await requireKnownSchema(channel);
  const { since, ...same } = request;
  return verifyDatabase(channel, {
    ...same,
    ...(since === undefined ? {} : { sinceMs: (nowMs) => instantOf(since, nowMs) }),
  });
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

function instantOf(since: Since, nowMs: number): number {
  return 'agoMs' in since ? nowMs - since.agoMs : since.instantMs;
}
