import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { fileScope } from '../support/testEngine.ts';
import { until } from '../support/until.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';
import { findBrowser, noBrowser } from './findBrowser.ts';
import { screenTable } from './screenTable.ts';

const skip = findBrowser() === null ? noBrowser : false;
let world: BrowserWorld;

before(async () => {
  if (skip !== false) return;
  world = await makeBrowserWorld(fileScope);
  const command = 'echo a line of the sample; exit 3';
  await world.addJob({ name: 'sample', command, group: 'shop', tag: ['nightly'] });
  await runSample();
});

/** Each colour and each width once. */
const looks = [
  { colours: 'light', width: 1_280 },
  { colours: 'dark', width: 360 },
] as const;

for (const { isOpen, name, path: place, ready } of screenTable) {
  for (const { colours, width } of looks) {
    const title = `nothing is wrong with the screen ${name}, ${colours}, ${width} px wide`;
    test(title, { skip }, async () => {
      const as = isOpen ? {} : { as: world.token };
      const { page, troubles } = await world.open({ colours, width, ...as });
      await page.goto(`${world.origin}/#/${place}`);
      await ready(page);
      assert.deepEqual(await faultsOf(page), []);
      assert.equal(await overflowOf(page), 0, 'it is scrolled sideways');
      // What is not there is answered 404, which the browser says of each.
      assert.deepEqual(
        troubles.filter((text) => !/status of 404/.test(text)),
        [],
      );
      await page.context().close();
    });
  }
}

test('every screen that there is has a case', async () => {
  const file = path.resolve(import.meta.dirname, '../../src/page/screens.ts');
  const text = await readFile(file, 'utf8');
  const paths = [...text.matchAll(/path: \[([^\]]*)\]/g)].map(([, names = '']) =>
    names.split(', ').map((name) => name.slice(1, -1)),
  );
  assert.ok(paths.length >= 3);
  const cases = screenTable.map(({ path: place }) => place.replace(/\?.*/, '').split('/'));
  const missing = paths.filter((names) => !cases.some((parts) => isLike(names, parts)));
  assert.deepEqual(missing, []);
});

/** Whether a path is of a pattern: `['jobs', ':job']`. */
function isLike(pattern: readonly string[], parts: readonly string[]): boolean {
  const fits = (name: string, at: number) => name.startsWith(':') || name === parts[at];
  return pattern.length === parts.length && pattern.every(fits);
}

async function runSample(): Promise<void> {
  const headers = { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ requestId: 'sample-run' });
  await fetch(`${world.origin}/api/v1/jobs/sample/run`, { method: 'POST', headers, body });
  await until('the end of the sample', async () => {
    const answer = await fetch(`${world.origin}/api/v1/runs/sample-run`, { headers });
    return answer.ok && ((await answer.json()) as { result: string | null }).result !== null;
  });
}

/** What axe finds: the page forbids scripts in it, so that it is evaluated from outside. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await loaded.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag22aa', 'best-practice'],
    } as never);
    return violations.map(({ help, id, nodes }) => {
      const where = nodes.map(
        ({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`,
      );
      return `${id}: ${help}: ${where.join('; ')}`;
    });
  });
  return found;
}

function overflowOf(page: Page): Promise<number> {
  return page.evaluate(
    'document.documentElement.scrollWidth - innerWidth > 0 ? 1 : 0',
  ) as Promise<number>;
}
