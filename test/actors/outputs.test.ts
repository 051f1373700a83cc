import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../support/until.ts';
import { type ActorWorld, makeActorWorld } from './actorWorld.ts';

/** Makes the server itself refuse outputs that say so, while the note is there. */
async function refuseOutputs(world: ActorWorld, errno: number): Promise<void> {
  await world.rows("INSERT INTO note VALUES ('test.refuse', 'yes')");
  await world.rows(`CREATE TRIGGER test_refuse BEFORE INSERT ON run_output FOR EACH ROW
    BEGIN
      IF NEW.output LIKE 'no%' AND EXISTS (SELECT 1 FROM note WHERE note_name = 'test.refuse')
      THEN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'for the test';
      END IF;
    END`);
}

/** Jobs that execute until a test ends them, all of one node. */
async function startJobs(world: ActorWorld, names: readonly string[]) {
  world.ledger.lastsMs = () => null;
  for (const name of names) await world.addOnce(name, 3);
  const node = world.node('a');
  await until('all execute', () => world.ledger.running().length === names.length);
  return node;
}

const outputOf = async (world: ActorWorld): Promise<Record<string, string>> => {
  const rows = await world.rows(
    `SELECT job.name, CAST(output AS CHAR) AS said
     FROM run_output JOIN run USING (launch_id) JOIN job USING (job_id)`,
  );
  return Object.fromEntries(rows.map(({ name, said }) => [name, said]));
};

function endAll(world: ActorWorld, said: (name: string) => string): void {
  for (const entry of world.ledger.running()) {
    const output = Buffer.from(said(entry.launch.definition.name));
    entry.end({ output, outputBytes: output.length });
  }
}

describe('an output that cannot be written', { concurrency: true }, () => {
  test('for the server refuses it holds up no other; its run is recorded without', async (t) => {
    const world = await makeActorWorld(t);
    await refuseOutputs(world, 1644);
    const names = ['a', 'b', 'c', 'd', 'e', 'refused'];
    const node = await startJobs(world, names);
    const began = performance.now();
    endAll(world, (name) => (name === 'refused' ? 'no' : `yes ${name}`));
    await until('all are recorded', async () => (await world.runs()).length === names.length);
    const tookMs = performance.now() - began;
    t.diagnostic(`all six were recorded within ${Math.round(tookMs)} ms`);
    const said = await outputOf(world);
    assert.deepEqual(Object.keys(said).sort(), ['a', 'b', 'c', 'd', 'e']);
    assert.equal(said.c, 'yes c');
    const [run] = await world.runs('refused');
    assert.deepEqual([run?.result, run?.output_bytes], ['succeeded', 2]);
    assert.match(run?.reason ?? '', /^Its output \(2 bytes\) is not kept: the database refused it/);
    assert.equal(node.ending(), null);
    await world.requireSound();
  });

  test('for the server takes no writes just now is written when it does', async (t) => {
    const world = await makeActorWorld(t);
    await refuseOutputs(world, 1290);
    const node = await startJobs(world, ['job', 'other']);
    endAll(world, (name) => (name === 'job' ? 'no, later' : 'yes'));
    await until('the other is recorded', async () => (await world.runs('other')).length === 1);
    const tried = () => node.troubles.filter((trouble) => /output could not/.test(trouble)).length;
    await until('it was tried a few times', () => tried() >= 5);
    assert.equal((await world.runs('job')).length, 0);
    await world.rows("DELETE FROM note WHERE note_name = 'test.refuse'");
    await until('it is recorded', async () => (await world.runs('job')).length === 1);
    assert.deepEqual(await outputOf(world), { job: 'no, later', other: 'yes' });
    await world.requireSound();
  });
});
