import { after, describe, test } from 'node:test';
import { NotHereError } from '../../support/fetchMysql.ts';
import type { EngineOptions, FaultEngine, FaultEngineName } from './faultEngine.ts';
import { startFaultEngine } from './startFaultEngine.ts';

/**
 * Starts an engine for a test file and defines the file's tests on it; it ends with the file. Where
 * it cannot be had one test stands as skipped with the reason, its title as `npm run mutations`
 * looks for it. Use it at the top of a file with await.
 */
export async function withFaultEngine(
  name: FaultEngineName,
  options: EngineOptions,
  define: (engine: FaultEngine) => void,
): Promise<void> {
  const title = options.multiPrimary === true ? `on ${name} with several primaries` : `on ${name}`;
  const engine = await startFaultEngine(name, options).catch((error: unknown) => {
    if (error instanceof NotHereError) return error;
    throw error;
  });
  if (engine instanceof NotHereError) {
    test(`${title}, which is not here`, { skip: `not run: ${engine.message}` });
    return;
  }
  describe(title, () => {
    after(() => engine.close());
    define(engine);
  });
}
