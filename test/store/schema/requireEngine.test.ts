import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Channel } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { requireEngine } from '../../../src/store/schema/requireEngine.ts';
import { createDatabase, type Scope, withConnection } from '../../support/createDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { startRewriteProxy } from '../../support/rewriteProxy.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

/** Statements whose name begins so lose, or get, a part. */
interface Change {
  readonly statement: RegExp;
  readonly part: string | RegExp;
  readonly by: string;
}

const lock = /^\/\* probe lock \*\//;
const skipLocked = 'FOR UPDATE SKIP LOCKED';
const noLock = { statement: lock, part: skipLocked, by: '' };

/** What an engine does in place of what it is told, and the probe that finds it. */
const found: Record<string, Change & { readonly probe: string; readonly came: RegExp }> = {
  'takes no lock for SKIP LOCKED, as TiDB': {
    ...{ ...noLock, probe: 'SKIP LOCKED', came: /^both got the row$/ },
  },
  'ignores SKIP LOCKED, and waits': {
    ...{ statement: lock, part: ' SKIP LOCKED', by: '' },
    ...{ probe: 'SKIP LOCKED', came: /^it waited for the row$/ },
  },
  'does not know SKIP LOCKED, as MySQL 5.7': {
    ...{ statement: lock, part: 'SKIP LOCKED', by: 'SKIPLOCKED' },
    ...{ probe: 'SKIP LOCKED', came: /^error 1064 / },
  },
  'passes over every row': {
    ...{ statement: lock, part: 'lock_id =', by: '0 = lock_id AND lock_id =' },
    ...{ probe: 'SKIP LOCKED', came: /^it passed over a free row$/ },
  },
  'has no snapshot': {
    ...{ statement: /CONSISTENT SNAPSHOT/, part: /WITH CONSISTENT SNAPSHOT, /, by: '' },
    ...{ probe: 'snapshot', came: /^it shows \d+ and the next read \d+, where \d+ was raised/ },
  },
};

await forEachEngine((engine) => {
  test('an engine that does what nodes rely on passes, and nothing stays of it', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.rows('INSERT INTO migration_lock VALUES (1000007, 1), (7, 1)');
    await world.rows('INSERT INTO migration_lock VALUES (1000008, 4000000000000)');
    await Promise.all(Array.from({ length: 10 }, () => tryAt(t, world.url)));
    const left = await world.rows('SELECT lock_id FROM migration_lock WHERE lock_id > 2');
    const ids = left.map(({ lock_id }) => lock_id);
    assert.deepEqual(ids, [7, 1_000_008], 'that of a killed process has gone, and no other');
  });

  for (const [what, { probe, came, ...change }] of Object.entries(found)) {
    test(`an engine that ${what} fails the probe "${probe}"`, async (t) => {
      const world = await makeReusedWorld(t, engine);
      const url = await startRewriteProxy(t, world.url, (statement) => changed(statement, change));
      await assertUnfit(tryAt(t, url), probe, came);
      const left = await world.rows('SELECT lock_id FROM migration_lock WHERE lock_id > 2');
      assert.deepEqual(left, []);
    });
  }

  test('a read that is behind what was committed fails the probe "snapshot"', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const isLast = inTurn(/^\/\* probe read/, 3, 0);
    const url = await startRewriteProxy(t, world.url, (statement) =>
      isLast(statement) ? statement.replace('taken', 'taken - 1') : statement,
    );
    await assertUnfit(tryAt(t, url), 'snapshot', /^it shows (\d+) and the next read \1,/);
  });

  test('a failure that has gone when it is tried again is none', async (t) => {
    const world = await makeReusedWorld(t, engine);
    let locks = 0;
    const url = await startRewriteProxy(t, world.url, (statement) => {
      if (lock.test(statement)) locks += 1;
      return locks <= 2 ? changed(statement, noLock) : statement;
    });
    await tryAt(t, url);
    assert.equal(locks, 4);
  });

  for (const [what, statement, by, shown] of [
    ['an account without rights', /^\/\* probe row/, signal(1142), /"errno":1142/],
    ['a replica', /^\/\* probe row/, signal(1290), /"errno":1290/],
    ['a full disk', /^\/\* probe write/, signal(1114), /"errno":1114/],
    [
      'a connection that was cut while it held the lock',
      /^\/\* probe end/,
      'KILL CONNECTION_ID()',
      /1317|1927|LOST/,
    ],
  ] as const) {
    test(`${what} is said as what it is, and says nothing of the engine`, async (t) => {
      const world = await makeReusedWorld(t, engine);
      const url = await startRewriteProxy(t, world.url, (each) =>
        statement.test(each) ? by : each,
      );
      await assert.rejects(tryAt(t, url), (error) => shown.test(JSON.stringify(error)));
    });
  }

  test('migrate refuses an engine before anything is migrated', async (t) => {
    const direct = await createDatabase(t, engine);
    const url = await startRewriteProxy(t, direct, (statement) => changed(statement, noLock));
    await assertUnfit(migrate(readDatabaseUrl(url)), 'SKIP LOCKED', /^both got the row$/);
    const tables = await withConnection(direct, async (connection) => {
      const [rows] = await connection.query('SHOW TABLES');
      return (rows as object[]).flatMap((row) => Object.values(row));
    });
    assert.deepEqual(tables, ['migration_lock']);
  });
});

async function tryAt(scope: Scope, url: string): Promise<void> {
  const address = readDatabaseUrl(url);
  const bounds = { timeoutMs: 30_000, lockWaitSeconds: 1, silenceSeconds: 600 };
  const channel = new Channel('test', address, bounds);
  scope.after(() => channel.close());
  await requireEngine(channel, address);
}

function signal(errno: number): string {
  return `SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'no'`;
}

/** Whether it is the one `at` its place, of `of` such statements each; 0: the last. */
function inTurn(which: RegExp, of: number, at: number): (statement: string) => boolean {
  let seen = 0;
  return (statement) => {
    if (!which.test(statement)) return false;
    seen += 1;
    return seen % of === at;
  };
}

function changed(statement: string, { statement: which, part, by }: Change): string {
  return which.test(statement) ? statement.replace(part, by) : statement;
}

function assertUnfit(work: Promise<unknown>, probe: string, came: RegExp): Promise<void> {
  return assert.rejects(work, (error: Error & { code?: string; exitCode?: number }) => {
    assert.deepEqual([error.code, error.exitCode], ['engine_unfit', 78], `${error.stack}`);
    const [, name, seen = ''] =
      /fails the probe "(.*)": expected: .*; came: (.*)\. Nothing was changed\.$/.exec(
        error.message,
      ) ?? [];
    assert.equal(name, probe, error.message);
    assert.match(seen, came);
    return true;
  });
}
