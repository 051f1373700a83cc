import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Channel, type ChannelBounds, type Row } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { wasNeverSent } from '../../../src/store/connection/databaseFault.ts';
import { transact } from '../../../src/store/transaction/transact.ts';
import { clusterUrl } from '../../fault/engines/clusterUrl.ts';
import type { EngineMember } from '../../fault/engines/faultEngine.ts';
import { startFaultEngine } from '../../fault/engines/startFaultEngine.ts';
import { startFaultProxy } from '../../fault/proxy/faultProxy.ts';
import { createDatabase, type Scope } from '../../support/createDatabase.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { until, within } from '../../support/until.ts';
import { watchStalls } from '../../support/watchStalls.ts';

const bounds = { timeoutMs: 5_000, lockWaitSeconds: 1, silenceSeconds: 30 };
const engines = await Promise.all(
  [0, 1].map(() => startFaultEngine('mariadb', { faketime: false })),
);
after(() => Promise.all(engines.map((engine) => engine.close())).then(() => undefined));
const [one, two] = engines.flatMap(({ members }) => members) as [EngineMember, EngineMember];
// Two servers that know the same user; for a channel they are two members of a cluster.
const password = new URL(one.userUrl()).password;
await two.query(`SET PASSWORD FOR 'fault_user'@'%' = PASSWORD('${password}')`);

describe('a channel with several hosts', () => {
  test('a host that is gone costs no error, within one use', async (t) => {
    const channel = open(t, clusterUrl([one, two], 'fault_engine'));
    await one.kill();
    t.after(() => one.start());
    assert.equal(await portOf(channel), two.port);
    await one.start();
    await two.kill();
    t.after(() => two.start());
    await until('the other', async () => (await portOf(channel).catch(() => 0)) === one.port);
  });

  test('a host that swallows everything is left after one time-out', async (t) => {
    const proxy = await startFaultProxy(t, one.userUrl('fault_engine'));
    const url = clusterUrl([{ ...one, ...asMember(proxy.url) }, two], 'fault_engine');
    const channel = open(t, url, { ...bounds, timeoutMs: 2_000 });
    assert.equal(await portOf(channel), one.port);
    proxy.blackHole('both');
    await assert.rejects(portOf(channel), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' });
    const asked = proxy.taken();
    assert.equal(await portOf(channel), two.port);
    assert.equal(proxy.taken(), asked, 'the silent one is not asked again');
  });

  test('a member that is read-only is passed by', async (t) => {
    await one.query('SET GLOBAL read_only = ON');
    t.after(async () => void (await one.query('SET GLOBAL read_only = OFF')));
    assert.equal(await portOf(open(t, clusterUrl([one, two], 'fault_engine'))), two.port);
    assert.equal(
      await portOf(open(t, one.userUrl('fault_engine'))),
      one.port,
      'the only one is good for looks',
    );
  });

  test('when one channel learns that its member takes no writes all leave it', async (t) => {
    const address = readDatabaseUrl(clusterUrl([one, two], 'fault_engine'));
    const [writer, looker] = [new Channel('w', address, bounds), new Channel('l', address, bounds)];
    t.after(() => Promise.all([writer.close(), looker.close()]).then(() => undefined));
    assert.deepEqual([await portOf(writer), await portOf(looker)], [one.port, one.port]);
    await one.query('SET GLOBAL read_only = ON');
    t.after(async () => void (await one.query('SET GLOBAL read_only = OFF')));
    assert.equal(await portOf(looker), one.port, 'who only looks learns nothing');
    await assert.rejects(writer.change('UPDATE probe SET beats = beats + 1'), { errno: 1290 });
    assert.deepEqual([await portOf(writer), await portOf(looker)], [two.port, two.port]);
  });

  test('with every member read-only it is said that nothing was done', async (t) => {
    for (const member of [one, two]) {
      await member.query('SET GLOBAL read_only = ON');
      t.after(async () => void (await member.query('SET GLOBAL read_only = OFF')));
    }
    const channel = open(t, clusterUrl([one, two], 'fault_engine'));
    const outcome = await transact(channel, 'tried', async () => ({ commit: null }));
    assert.equal(outcome.outcome, 'unknown');
    assert.ok(outcome.outcome === 'unknown' && wasNeverSent(outcome.cause));
  });

  test('what fails before its COMMIT was not done; of a COMMIT nobody knows', async (t) => {
    const proxy = await startFaultProxy(t, one.userUrl('fault_engine'));
    for (const [statement, wasNot] of [
      ['/* tried begin */', true],
      ['UPDATE probe', true],
      ['/* tried commit */', false],
    ] as const) {
      const channel = open(t, proxy.url);
      proxy.arm({ kind: 'reply lost', statement });
      const outcome = await transact(channel, 'tried', async (connection) => {
        await connection.change('UPDATE probe SET beats = beats + 1');
        return { commit: null };
      });
      assert.ok(outcome.outcome === 'unknown', statement);
      assert.equal(wasNeverSent(outcome.cause), wasNot, statement);
    }
  });
});

describe('an idle channel', { concurrency: true }, () => {
  test('is spoken to, so that the server does not cut it', async (t) => {
    const scope = lastFirst(t);
    const url = await createDatabase(scope);
    const silenceSeconds = 4;
    const looker = open(scope, url);
    // A third of that is between two words, so who stands still for as long may be cut: once more.
    for (let tries = 1; ; tries += 1) {
      const channel = open(scope, url, { ...bounds, silenceSeconds, staysOpen: true });
      const idOf = async () => (await channel.query<Row[]>('SELECT CONNECTION_ID() AS id'))[0]?.id;
      const before = await idOf();
      const stalledMs = watchStalls({ rows: (sql) => looker.query<Row[]>(sql), scope });
      const began = performance.now();
      // Time itself is waited for: longer than the server waits for a client that is silent.
      await until('the time', () => performance.now() - began > 5_000);
      const after = await idOf().catch(() => 'it was cut');
      const isStill = stalledMs() > (silenceSeconds * 1_000) / 3;
      if (after !== before && isStill && tries < 10) continue;
      assert.equal(after, before);
      break;
    }
  });

  test('is ended where it need not stay open, and the next use opens another', async (t) => {
    const scope = lastFirst(t);
    const url = await createDatabase(scope);
    const looker = open(scope, url);
    const channel = open(scope, url, { ...bounds, silenceSeconds: 3 });
    const idOf = async () => (await channel.query<Row[]>('SELECT CONNECTION_ID() AS id'))[0]?.id;
    const before = Number(await idOf());
    await until('its end', async () => {
      const sql = 'SELECT 1 FROM information_schema.processlist WHERE id = ?';
      return (await looker.query<Row[]>(sql, [before])).length === 0;
    });
    assert.notEqual(await idOf(), before);
  });

  test('learns by its keep-alive that nobody answers, and the next use is well', async (t) => {
    const proxy = await startFaultProxy(t, await createDatabase(t));
    const own = { ...bounds, timeoutMs: 2_000, silenceSeconds: 6, staysOpen: true };
    const channel = open(t, proxy.url, own);
    await channel.query('SELECT 1');
    const armed = proxy.arm({ kind: 'half-open', statement: '/* keepAlive */' });
    assert.equal(await within('it is spoken to', armed.hit), true);
    const began = performance.now();
    await until('a statement after it', () => channel.query('SELECT 1'));
    assert.ok(
      performance.now() - began < 3 * own.timeoutMs,
      'it waited for the time-out and no longer',
    );
  });
});

function open(scope: Scope, url: string, own: ChannelBounds = bounds): Channel {
  const channel = new Channel('tried', readDatabaseUrl(url), own);
  scope.after(() => channel.close());
  return channel;
}

async function portOf(channel: Channel): Promise<number> {
  const [row] = await channel.query<Row[]>('SELECT @@port AS port');
  return Number(row?.port);
}

/** A URL in the place of a member. */
function asMember(url: string): Pick<EngineMember, 'port' | 'userUrl'> {
  return { port: Number(new URL(url).port), userUrl: () => url };
}
