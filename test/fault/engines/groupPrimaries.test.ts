import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Row } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { renewSession } from '../../../src/store/sessions/sessions.ts';
import { takeStripes } from '../../../src/store/transaction/takeStripes.ts';
import { makeStoreWorldAt } from '../../support/storeWorld.ts';
import { openChannel, overlapOnMembers } from './overlapOnMembers.ts';
import { testMembers } from './testMembers.ts';
import { withFaultEngine } from './withFaultEngine.ts';

const selectLock = 'SELECT taken FROM lock_row WHERE lock_id = 7 FOR UPDATE';
const setNote = 'INSERT INTO note (note_name, note_value) VALUES (?, 1)';
const options = { multiPrimary: true, expelSeconds: 0 };

await withFaultEngine('group-replication', options, (engine) => {
  const [r1, r2] = engine.members;
  if (r1 === undefined || r2 === undefined) throw new Error('a group has members');
  testMembers(engine);

  test('three nodes migrate an empty database at once through three primaries', async (t) => {
    // Two that add one column at once break the group, and do so once in a few times.
    for (let tries = 0; tries < 4; tries += 1) {
      const database = await engine.createDatabase();
      await Promise.all(
        engine.members.map((member) => migrate(readDatabaseUrl(member.userUrl(database)))),
      );
      const rows: Row[] = await openChannel(t, r2, database).query('SELECT * FROM lock_row');
      assert.equal(rows.length, 65);
    }
  });

  for (const [what, tries] of [
    ['the lock, which is a write, excludes between two primaries', 2],
    ['SELECT … FOR UPDATE alone excludes nobody between two primaries', 1],
  ] as const) {
    test(what, async (t) => {
      const world = await makeStoreWorldAt(t, r1.userUrl(await engine.createDatabase()));
      const database = new URL(world.url).pathname.slice(1);
      const { outcomes, secondTries } = await overlapOnMembers(
        openChannel(t, r1, database),
        openChannel(t, r2, database),
        (connection) => (tries === 2 ? takeStripes(connection, [7]) : connection.query(selectLock)),
        (connection, who) => connection.change(setNote, [who]),
      );
      assert.deepEqual(outcomes, ['committed', 'committed']);
      // Rolled back once, or more often by what the other's COMMIT still has to do.
      assert.ok(tries === 2 ? secondTries >= 2 : secondTries === 1, `${secondTries} tries`);
    });
  }

  test('renewals through two primaries in turn are never refused', async (t) => {
    const world = await makeStoreWorldAt(t, r1.userUrl(await engine.createDatabase()));
    const database = new URL(world.url).pathname.slice(1);
    const node = await world.join('a');
    const channels = [openChannel(t, r1, database), openChannel(t, r2, database)] as const;
    for (let beats = 1; beats <= 200; beats += 1) {
      const channel = beats % 2 === 0 ? channels[0] : channels[1];
      const outcome = await renewSession(channel, node.sessionId, beats - 1, beats);
      assert.equal(outcome.outcome, 'committed', `beat ${beats}`);
    }
  });
});
