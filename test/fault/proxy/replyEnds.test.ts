import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import mysql, { type Connection, type ConnectionOptions } from 'mysql2/promise';
import { createDatabase, type Scope } from '../../support/createDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { within } from '../../support/until.ts';
import { startFaultProxy } from './faultProxy.ts';

const procedure = `CREATE PROCEDURE two_results() BEGIN
  SELECT 1 AS a, 'x' AS b UNION SELECT 2, NULL; SELECT 'second'; END`;
const numbers = `(WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900)
  SELECT i, REPEAT('r', i) AS r FROM n)`;

/** Every shape that a reply has, each with its name in it. */
const shapes: [string, string][] = [
  ['OK', '/* shape */ DO 0'],
  ['an error', '/* shape */ SELECT * FROM nowhere'],
  ['one row', '/* shape */ SELECT 1 AS a, NULL AS b, 0xfeff AS c'],
  ['no row', '/* shape */ SELECT 1 AS a FROM DUAL WHERE 1 = 0'],
  ['many rows', `/* shape */ SELECT * FROM ${numbers} AS list`],
  ['a row of 300,000 bytes', "/* shape */ SELECT REPEAT('x', 300000) AS long_value, 1 AS after_it"],
  ['several results', "/* shape */ SELECT 1; DO 0; SELECT 2 AS a, 3 AS b; SELECT 'last'"],
  ['results, then an error', '/* shape */ SELECT 1; SELECT * FROM nowhere; SELECT 2'],
  ['a procedure', '/* shape */ CALL two_results()'],
  ['SHOW', '/* shape */ SHOW COLLATION'],
];

await forEachEngine((engine) => {
  const makeWorld = async (scope: Scope) => {
    const url = await createDatabase(scope, engine);
    const straight = await connect(scope, { uri: url });
    const proxy = await startFaultProxy(scope, url);
    return { proxy, straight, client: await connect(scope, { uri: proxy.url }) };
  };

  test('the end of every shape of reply is known', async (t) => {
    const { proxy, straight, client } = await makeWorld(t);
    await straight.query(procedure);
    for (const [what, statement] of shapes) {
      const expected = await answerTo(straight, statement);
      const armed = proxy.arm({ kind: 'reply delayed', statement: 'shape' });
      const answer = answerTo(client, statement);
      // Held too late, it is never hit; held too early, the client gets a reply without its begin.
      await within(`the end of ${what}`, armed.hit);
      armed.release();
      assert.deepEqual(await within(what, answer), expected, what);
    }
    assert.deepEqual(await answerTo(client, 'SELECT 5 AS five'), [{ five: 5 }]);
  });

  test('a prepared statement is known by its text', async (t) => {
    const { proxy, client } = await makeWorld(t);
    const select = '/* prepared */ SELECT ? AS one, REPEAT(?, 3) AS three';
    const [before] = await client.execute(select, ['1', 'a']);
    const armed = proxy.arm({ kind: 'reply delayed', statement: '/* prepared */' });
    const answer = client.execute(select, ['1', 'a']);
    await within('the end of its reply', armed.hit);
    armed.release();
    assert.deepEqual((await answer)[0], before);
    proxy.arm({ kind: 'request lost', statement: '/* prepared */' });
    await assert.rejects(client.execute(select, ['1', 'a']));
  });

  test('another login on the same connection passes through', async (t) => {
    const { proxy, client } = await makeWorld(t);
    await client.changeUser({ database: new URL(proxy.url).pathname.slice(1) });
    const armed = proxy.arm({ kind: 'reply delayed', statement: 'shape', delayMs: 1 });
    assert.deepEqual(await answerTo(client, '/* shape */ SELECT 1 AS a'), [{ a: 1 }]);
    assert.equal(await armed.hit, true);
  });

  test('a file that the server asks for is part of the statement', async (t) => {
    const { proxy, straight, client } = await makeWorld(t);
    await straight.query('CREATE TABLE line (text VARCHAR(20)) ENGINE = InnoDB');
    const [variables] = await straight.query<mysql.RowDataPacket[]>(
      "SELECT @@local_infile AS 'on'",
    );
    if (variables[0]?.on !== 1) return t.skip('this server takes no files');
    const armed = proxy.arm({ kind: 'reply delayed', statement: 'LOAD DATA' });
    const loaded = client.query({
      sql: "LOAD DATA LOCAL INFILE 'lines' INTO TABLE line",
      infileStreamFactory: () => Readable.from(['one\n', 'two\n'].map((line) => Buffer.from(line))),
    } as mysql.QueryOptions);
    await within('the end of its reply', armed.hit);
    armed.release();
    await loaded;
    assert.deepEqual(await answerTo(client, 'SELECT COUNT(*) AS n FROM line'), [{ n: 2 }]);
  });

  test('encryption and compression are not offered, and who insists is told', async (t) => {
    const { proxy } = await makeWorld(t);
    const insists = connect(t, { uri: proxy.url, ssl: { rejectUnauthorized: false } });
    await assert.rejects(insists, { code: 'HANDSHAKE_NO_SSL_SUPPORT' });
    const client = await connect(t, { uri: proxy.url, compress: true });
    const armed = proxy.arm({ kind: 'request lost', statement: 'shape' });
    await assert.rejects(client.query("/* shape */ SELECT REPEAT('x', 1000)"));
    assert.equal(await armed.hit, true);
  });
});

async function connect(scope: Scope, options: ConnectionOptions): Promise<Connection> {
  const connection = await mysql.createConnection({ multipleStatements: true, ...options });
  connection.on('error', () => undefined); // the tests look at what their statements say
  scope.after(async () => connection.destroy());
  return connection;
}

/** Rows, or the error's number. */
async function answerTo(connection: Connection, statement: string): Promise<unknown> {
  try {
    return (await connection.query(statement))[0];
  } catch (error) {
    return (error as { errno?: number }).errno;
  }
}
