import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { describeViolation } from '../checkers/describeViolation.ts';
import { judge } from '../checkers/judge.ts';
import { buildProgram } from '../fault/world/buildProgram.ts';
import { cliOf } from '../fault/world/runCli.ts';
import { createDatabase } from '../support/createDatabase.ts';
import { NotHereError } from '../support/fetchMysql.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { type PreviousVersion, previousVersion } from './previousVersion.ts';
import { requireKept } from './requireKept.ts';
import { rollUpgrade } from './rollUpgrade.ts';
import { makeUpgradeWorld } from './upgradeWorld.ts';

const seed = Number(process.env.STATECRON_TEST_SEED ?? 1);
const seconds = 10;

let tried: Promise<PreviousVersion> | undefined;

/** Null, with the test skipped: it cannot be had here. Tried once, as that may take minutes. */
async function previousOrSkip(t: TestContext): Promise<PreviousVersion | null> {
  try {
    tried ??= previousVersion(null, (line) => t.diagnostic(line));
    return await tried;
  } catch (error) {
    if (!(error instanceof NotHereError)) throw error;
    t.skip(`not run: ${error.message}`);
    return null;
  }
}

test('nodes of the version before run beside this one and no promise is broken', async (t) => {
  const previous = await previousOrSkip(t);
  if (previous === null) return;
  const scope = lastFirst(t);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-upgrade-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const main = await buildProgram(path.join(folder, 'program'));
  const url = await createDatabase(scope, 'mariadb');
  const programs = { old: previous.main, new: main };
  const world = await makeUpgradeWorld(scope, { programs, folder, url });
  const say = (line: string) => t.diagnostic(line);
  const { history, started } = await rollUpgrade(world, { seed, seconds, say });
  t.diagnostic(`${previous.name} started ${started.old} children, this one ${started.new}`);
  const violations = judge(history).map((violation) => describeViolation(violation, history));
  assert.deepEqual(violations, []);
  assert.ok(started.old >= 20 && started.new >= 20, 'both have had their share');
  const done = history.operations.filter(({ outcome }) => outcome === 'ok');
  assert.ok(done.length > world.setUp.length + 5, 'jobs were changed while it rolled');
});

test('an edit by the version before keeps what only this one knows', async (t) => {
  const previous = await previousOrSkip(t);
  if (previous === null) return;
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = cliOf(previous.main, world.url, os.tmpdir());
  await requireKept(world, async (args) => (await cli(args)).data);
});
