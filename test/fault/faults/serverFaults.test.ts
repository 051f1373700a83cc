import assert from 'node:assert/strict';
import { test } from 'node:test';
import mysql from 'mysql2/promise';
import { enginesNow } from '../../support/enginesNow.ts';
import type { EngineMember } from '../engines/faultEngine.ts';
import { withFaultEngine } from '../engines/withFaultEngine.ts';
import type { FaultNode } from '../world/faultNode.ts';
import type { FaultKind, FaultWorld } from '../world/faultWorld.ts';
import { seededRandom } from '../world/random.ts';
import { serverFaults } from './serverFaults.ts';

const crowded = serverFaults().find(({ kind }) => /free connections/.test(kind)) as FaultKind;

for (const name of enginesNow()) {
  await withFaultEngine(name, { faketime: false }, (engine) => {
    const [member] = engine.members as [EngineMember];
    const node = { name: 'a', line: { each: () => undefined } } as unknown as FaultNode;
    const limit = async () => (await member.query('SELECT @@global.max_connections AS n'))[0]?.n;

    test('the limit of connections is lifted again while more than it are open', async (t) => {
      const world = { engine, database: await engine.createDatabase() } as unknown as FaultWorld;
      const before = await limit();
      for (let number = 0; number < 20; number += 1) {
        const open = await mysql.createConnection(member.userUrl(world.database));
        t.after(() => open.destroy());
      }
      const fault = await crowded.inject(world, seededRandom(1), node);
      await assert.rejects(member.query('SELECT 1'), { code: 'ER_CON_COUNT_ERROR' });
      await fault?.heal();
      assert.equal(await limit(), before);
    });

    test('the limit of connections is the same after the server has died with it', async () => {
      const world = { engine, database: await engine.createDatabase() } as unknown as FaultWorld;
      const before = await limit();
      const fault = await crowded.inject(world, seededRandom(2), node);
      await member.kill();
      await member.start();
      await fault?.heal();
      assert.equal(await limit(), before);
    });
  });
}
