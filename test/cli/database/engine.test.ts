import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireSchema } from '../../../src/cli/node/requireSchema.ts';
import { nodeLog } from '../../../src/cli/output/nodeLog.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { createDatabase } from '../../support/createDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { startRewriteProxy } from '../../support/rewriteProxy.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { within } from '../../support/until.ts';
import { askCli } from '../askCli.ts';
import { runCli } from '../runCli.ts';

/** As TiDB does, it takes no lock for it. */
function withoutLock(statement: string): string {
  return statement.startsWith('/* probe lock */')
    ? statement.replace('FOR UPDATE SKIP LOCKED', '')
    : statement;
}

const unfit = /The database server \(.*\) fails the probe "SKIP LOCKED": expected: .*; came: both/;
const hint = /without a proxy that changes statements .* statecron docs troubleshooting/;

await forEachEngine((engine) => {
  test('migrate and a node end with 78 on an engine that is unfit, and say why', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const url = await startRewriteProxy(t, world.url, withoutLock);
    const empty = await createDatabase(t, engine);
    const emptyUrl = await startRewriteProxy(t, empty, withoutLock);
    const node = runCli(['node', '--name', 'a'], { url });
    const migrated = askCli(['migrate'], { url: emptyUrl });
    for (const { code, stderr } of [await within('its end', node, 60_000), await migrated]) {
      assert.equal(code, 78, stderr);
      assert.match(stderr, unfit);
      assert.match(stderr, hint);
    }
    assert.deepEqual(await world.rows('SELECT * FROM session'), []);
    const json = await askCli(['migrate', '--json'], { url: emptyUrl });
    assert.equal(JSON.parse(json.stderr).error.code, 'engine_unfit');
  });

  test('the doctor fails the check engine of one that is unfit, and goes on', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const sound = await askCli(['doctor'], { url: world.url });
    assert.match(sound.stdout, /^ok +engine +locks and reads do what nodes rely on$/m);
    const url = await startRewriteProxy(t, world.url, withoutLock);
    const { code, stdout } = await askCli(['doctor', '--json'], { url });
    assert.equal(code, 1);
    const { checks } = JSON.parse(stdout) as { checks: Record<string, string>[] };
    const place = checks.findIndex(({ check }) => check === 'engine');
    const { status, message = '', hint: toDo = '' } = checks[place] ?? {};
    assert.equal(status, 'fail');
    assert.match(message, unfit);
    assert.match(toDo, hint);
    assert.equal(checks[place + 1]?.check, 'lock rows');
  });

  test('a node that its guardian started again does not probe the engine again', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const address = readDatabaseUrl(await startRewriteProxy(t, world.url, withoutLock));
    await requireSchema(address, nodeLog, () => true);
    await assert.rejects(
      requireSchema(address, nodeLog, () => false),
      { code: 'engine_unfit' },
    );
  });
});
