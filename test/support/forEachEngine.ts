import { describe, test } from 'node:test';
import { enginesNow } from './enginesNow.ts';
import { NotHereError } from './fetchMysql.ts';
import type { Engine } from './startTestServer.ts';
import { testEngine } from './testEngine.ts';

/**
 * Defines the same tests for each engine of the run (enginesNow.ts). Where a real MySQL cannot be
 * had its tests stand as skipped with the reason, "not run: …", and the run lists them at its end.
 *
 * Use it at the top of a file with await, as an engine may have to be started first:
 * `await forEachEngine((engine) => { test('…', async (t) => { await createDatabase(t, engine); });
 * });`
 */
export async function forEachEngine(define: (engine: Engine) => void): Promise<void> {
  const engines = enginesNow();
  // All waiting is done before the first test is defined: the runner starts tests at once.
  const reasons = await Promise.all(engines.map(reasonMissing));
  for (const [index, engine] of engines.entries()) {
    const missing = reasons[index];
    if (missing === undefined) describe(`on ${engine}`, () => define(engine));
    else test(`on ${engine}`, { skip: `not run: ${missing}` });
  }
}

async function reasonMissing(engine: Engine): Promise<string | undefined> {
  const missing = engine === 'mysql' ? process.env.STATECRON_TEST_MYSQL_MISSING : undefined;
  if (missing !== undefined && missing !== '') return missing;
  try {
    await testEngine(engine);
    return undefined;
  } catch (error) {
    if (error instanceof NotHereError) return error.message;
    throw error;
  }
}
