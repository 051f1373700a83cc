import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { succeeded } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import { type ApiWorld, makeApiWorld } from '../world/apiWorld.ts';

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');
const bounds = { cwd: root, timeout: 240_000 };

/** The types of a client of the document, as openapi-typescript writes them. */
async function typesOf(document: never): Promise<string> {
  register('./useOldTypescript.mjs', import.meta.url);
  const { default: generate, astToString } = await import('openapi-typescript');
  return astToString(await generate(document));
}

/** A folder with the types, the program that uses them, and the packages of this one. */
async function clientFolder(world: ApiWorld): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'statecron-client-'));
  const { json } = await world.ask('GET', '/openapi.json');
  await writeFile(path.join(folder, 'api.ts'), await typesOf(json as never));
  await copyFile(path.join(import.meta.dirname, 'jobLife.ts.txt'), path.join(folder, 'jobLife.ts'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  const config = { extends: path.join(root, 'tsconfig.json'), include: ['*.ts'] };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  return folder;
}

/** Runs what is due on a node, as often as something is, until the client has ended. */
async function runWhile(world: ApiWorld, client: Promise<unknown>): Promise<void> {
  const node = await world.join('n');
  let isDone = false;
  const ended = client.finally(() => {
    isDone = true;
  });
  const runDue = async (): Promise<boolean> => {
    for (const launch of await node.claim()) {
      const output = Buffer.from('two\n');
      await node.start(launch);
      await node.store.writeOutputs([{ launchId: launch.launchId, output }]);
      await node.finish(launch, { ...succeeded, output, outputBytes: output.length });
    }
    return isDone;
  };
  await Promise.all([ended, until('the client has ended', runDue, bounds.timeout)]);
}

test('a client that is generated from the document does the whole life of a job', async (t) => {
  const world = await makeApiWorld(t);
  const folder = await clientFolder(world);
  t.after(() => rm(folder, { recursive: true, force: true }));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const checked = await execute(process.execPath, [tsc, '-p', folder], bounds).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(checked.stdout, '', 'the types fit the program');
  const token = await world.token('operator');
  const program = ['--import', 'tsx', path.join(folder, 'jobLife.ts'), world.origin, token];
  await runWhile(world, execute(process.execPath, program, bounds));
  assert.deepEqual(world.troubles, []);
});
