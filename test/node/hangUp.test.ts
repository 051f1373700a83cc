import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { runJob } from '../../src/store/requests/runJob.ts';
import { until } from '../support/until.ts';
import { isAlive, patient } from './nodeProcess.ts';
import { makeNodeWorld } from './nodeWorld.ts';
import { makePasswordUser } from './passwordUser.ts';

/** Without a controlling terminal, as a service manager starts it. */
const asService = (command: readonly string[]): string[] => ['setsid', ...command];

/** In a terminal of its own, which goes away with the program that holds it. */
function inTerminal(command: readonly string[]): string[] {
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return ['script', '--quiet', '--return', '--command', words.join(' '), '/dev/null'];
}

function missing(program: string): string | false {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return `not run: there is no ${program}(1) on this machine`;
  }
}

test('at SIGHUP a service reads its files again, and goes on in the same session', {
  skip: missing('setsid'),
}, async (t) => {
  const world = await makeNodeWorld(t);
  const url = await makePasswordUser(world, 'the first one');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-hang-up-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'password');
  await writeFile(file, 'the first one', { mode: 0o600 });
  await world.add('after', '@manual');
  const env = { STATECRON_DATABASE_PASSWORD_FILE: file };
  const node = world.start('web1', patient, url, env, asService);
  const { pid, sessionId } = await node.session();

  const { username } = new URL(url);
  await world.rows(`ALTER USER ${username}@localhost IDENTIFIED BY 'the second one'`);
  const hangUp = async (times: number): Promise<void> => {
    // As `pkill` sends it, to the guardian and to the node.
    node.guardian.kill('SIGHUP');
    process.kill(pid, 'SIGHUP');
    const renewals = () => node.log().match(/reloaded the settings of database/g)?.length ?? 0;
    const { guardian } = node;
    const hasEnded = () => guardian.exitCode !== null || guardian.signalCode !== null;
    await until('it has heard', () => renewals() >= times || hasEnded());
    assert.equal(renewals(), times, node.log());
  };
  await rm(file);
  await hangUp(1);
  assert.match(
    node.log(),
    /The database settings could not be read again; the earlier ones stay in use: /,
  );
  await writeFile(file, 'the second one');
  await hangUp(2);
  const connections = `SELECT id FROM information_schema.processlist WHERE user = '${username}'`;
  for (const row of await world.rows(connections)) await world.rows(`KILL CONNECTION ${row.id}`);
  await runJob(world.channel, 'after', 'after');
  const [run] = await until('it runs jobs', async () => {
    const rows = await world.runs('after');
    return rows.length > 0 && rows;
  });
  assert.deepEqual([run?.result, run?.session_id], ['succeeded', sessionId]);
});

test('a terminal that hangs up ends the node that was started from it, as SIGTERM does', {
  skip: missing('script'),
}, async (t) => {
  const world = await makeNodeWorld(t);
  const node = world.start('web1', patient, undefined, undefined, inTerminal);
  const { pid, sessionId } = await node.session();
  const look = `SELECT guardian_process_id AS guardian, state, ended_why FROM session
    WHERE session_id = '${sessionId}'`;
  const [{ guardian } = { guardian: 0 }] = await world.rows(look);
  node.guardian.kill('SIGKILL');
  await until('both have ended', () => !isAlive(guardian as number) && !isAlive(pid));
  const [row] = await world.rows(look);
  assert.deepEqual([row?.state, row?.ended_why], ['ended', 'it was stopped']);
});
