import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { judge } from '../checkers/judge.ts';
import { tellViolation } from '../checkers/tellViolation.ts';
import { buildProgram } from '../fault/world/buildProgram.ts';
import { NotHereError } from '../support/fetchMysql.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { previousVersion } from './previousVersion.ts';
import { rollUpgrade } from './rollUpgrade.ts';
import { makeUpgradeWorld } from './upgradeWorld.ts';

const seed = Number(process.env.STATECRON_TEST_SEED ?? 1);
const seconds = 20;

test('nodes of the version before run beside this one and no promise is broken', async (t) => {
  const previous = await previousVersion(null, (line) => t.diagnostic(line)).catch(
    (error: unknown) => {
      if (error instanceof NotHereError) return error;
      throw error;
    },
  );
  if (previous instanceof NotHereError) {
    t.skip(`not run: ${previous.message}`);
    return;
  }
  const scope = lastFirst(t);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-upgrade-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const main = await buildProgram(path.join(folder, 'program'));
  const world = await makeUpgradeWorld(scope, { old: previous.main, new: main }, folder);
  const say = (line: string) => t.diagnostic(line);
  const { history, started } = await rollUpgrade(world, { seed, seconds, say });
  t.diagnostic(`${previous.tag} started ${started.old} children, this one ${started.new}`);
  const violations = judge(history).map((violation) => tellViolation(violation, history));
  assert.deepEqual(violations, []);
  assert.ok(started.old >= 20 && started.new >= 20, 'both have had their share');
  const done = history.operations.filter(({ outcome }) => outcome === 'ok');
  assert.ok(done.length > world.setUp.length + 5, 'jobs were changed while it rolled');
});
