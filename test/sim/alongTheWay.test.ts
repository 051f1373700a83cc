import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeViolation } from '../checkers/describeViolation.ts';
import type { History } from '../checkers/history.ts';
import { judge } from '../checkers/judge.ts';
import { makeScenario } from './makeScenario.ts';
import { runScenario } from './runScenario.ts';
import type { Scenario } from './scenario.ts';

const everyMs = 500;
/** In the sixth a start that may still come is owed to a node that is frozen. */
const seeds = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Looks at a world all along; resolves to what the judge said at each look, the end last. */
async function judgeAlong(scenario: Scenario): Promise<string[][]> {
  const said: string[][] = [];
  const seen = (history: History): void => {
    const { readMs, startedMs } = history.about;
    const afterMs = readMs - startedMs;
    const found = judge(history).map((each) => describeViolation(each, history));
    said.push(found.map((text) => `seed ${scenario.seed}, ${afterMs} ms: ${text}`));
  };
  const { history } = await runScenario(scenario, false, { everyMs, seen });
  seen(history);
  return said;
}

test('what goes on is no broken promise, whenever one looks, under faults or not', async () => {
  for (const seed of seeds) {
    const said = await judgeAlong(makeScenario(seed));
    assert.ok(said.length > 20, `${said.length} looks`);
    assert.deepEqual(said.flat(), []);
  }
});

test('looking changes nothing of a world', async () => {
  const look = { everyMs, seen: () => undefined };
  const seen = await runScenario(makeScenario(3), false, look);
  const unseen = await runScenario(makeScenario(3), false);
  const tables = ({ audit, runs, processes }: History) => JSON.stringify([audit, runs, processes]);
  assert.equal(tables(seen.history), tables(unseen.history));
});

for (const mutation of ['unknown start taken for yes', 'locks do not exclude'] as const) {
  test(`the bug "${mutation}" is seen before the end`, async () => {
    for (const seed of Array.from({ length: 40 }, (_, place) => place + 1)) {
      const said = await judgeAlong({ ...makeScenario(seed), mutation });
      const first = said.findIndex((found) => found.length > 0);
      if (first === -1) continue;
      if (first < said.length - 5) return;
    }
    assert.fail('40 worlds do not show it along the way');
  });
}
