import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { Channel } from '../../store/connection/channel.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import { migrateHint } from '../../store/connection/grantStatement.ts';
import { boundsOfTtl } from '../../store/openNodeStore.ts';
import { mayUseSchema } from '../../store/schema/migrate.ts';
import { requireEngine } from '../../store/schema/requireEngine.ts';
import { packageVersion } from '../connect/packageVersion.ts';
import { noTablesYet, readSchema, withChannel } from '../connect/withChannel.ts';
import type { NodeLog } from '../output/nodeLog.ts';

/**
 * A node does not migrate: it refuses a schema that is older than itself, or newer and not for it,
 * and an engine that fails a probe. One that the guardian started again waits for a database that
 * is away, as long as it has it, and does not probe it again: no fault may keep it away for good.
 */
export async function requireSchema(
  database: DatabaseAddress,
  log: NodeLog,
  mayWait: () => boolean,
): Promise<void> {
  let awaySinceMs: number | null = null;
  for (;;) {
    try {
      const check = async (channel: Channel): Promise<void> => {
        await checkSchema(channel, log);
        if (!mayWait()) await requireEngine(channel, database);
      };
      await withChannel(database, check, 'schema', boundsOfTtl(45_000));
      if (awaySinceMs === null) return;
      const seconds = Math.round((performance.now() - awaySinceMs) / 1_000);
      return log.info(`the database is back after ${seconds} s`);
    } catch (error) {
      if (error instanceof OperatorError || !mayWait()) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      if (awaySinceMs === null)
        log.warn(`the database is away, and waited for: ${message || code}`);
      awaySinceMs ??= performance.now();
      await sleep(databaseWaitMs);
    }
  }
}

const databaseWaitMs = 1_000;

async function checkSchema(channel: Channel, log: NodeLog): Promise<void> {
  const { isEmpty, missing, unknown } = await readSchema(channel);
  if (isEmpty) throw noTablesYet(exitCodes.configuration);
  if (missing.length > 0) throw schemaFault('older', missing, migrateHint);
  if (unknown.length === 0) return;
  if (await mayUseSchema(channel, packageVersion())) {
    log.info(`the schema has what this version does not know: ${unknown.join(', ')}`);
    return;
  }
  const hint = 'Install the version of statecron that the other nodes run, or a later one.';
  throw schemaFault('newer', unknown, hint);
}

function schemaFault(how: 'older' | 'newer', names: string[], hint: string): OperatorError {
  return new OperatorError({
    code: `schema_${how}`,
    message: `The schema of the database is ${how} than this version: ${names.join(', ')}.`,
    hint,
    exitCode: exitCodes.configuration,
  });
}
