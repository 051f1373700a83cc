import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { BrowserWorld, Window } from './browserWorld.ts';
import { type ScreenCase, screenTable, settled } from './screenTable.ts';
import type { Spoiled } from './spoilAnswers.ts';

/** `empty`: nothing in any list; `failing`: the database is away; `viewer`: who may only read. */
const states = ['data', 'empty', 'failing', 'viewer'] as const;
type State = (typeof states)[number];

/** Each colour and each width. */
export const looks = [
  { colours: 'light', width: 1_280 },
  { colours: 'dark', width: 360 },
  { colours: 'light', width: 360 },
  { colours: 'dark', width: 1_280 },
] as const;
type Look = (typeof looks)[number];

/** A screen in a state, and how one looks at it. */
export interface ScreenCheck {
  readonly screen: ScreenCase;
  readonly state: State;
  readonly look: Look;
}

/** Each screen in each state and each width. */
export function checksIn(colours: Look['colours']): readonly ScreenCheck[] {
  const own = looks.filter((look) => look.colours === colours);
  return screenTable.flatMap((screen) =>
    statesOf(screen).flatMap((state) => own.map((look) => ({ screen, state, look }))),
  );
}

/** Sorted so that those in the same browser window follow each other. */
export function byWindow(checks: readonly ScreenCheck[]): readonly ScreenCheck[] {
  const place = ({ screen, state, look }: ScreenCheck) =>
    [looks.indexOf(look), states.indexOf(state), Number(screen.isOpen ?? false)].join();
  return [...checks].sort((a, b) => place(a).localeCompare(place(b)));
}

/** What the browser says on its console of each answer that is a refusal. */
const expected: Readonly<Record<State, RegExp>> = {
  data: /status of 404/,
  empty: /status of 404/,
  failing: /status of 503/,
  viewer: /status of 404/,
};

/** Opens a screen; fails when anything is wrong with it. */
export async function checkScreen(world: BrowserWorld, check: ScreenCheck): Promise<void> {
  const { state } = check;
  const { path, ready } = check.screen;
  const { page, troubles } = await windowOf(world, check);
  const before = troubles.length;
  await page.goto(`${world.origin}/#/${path}`);
  // What was there before is gone by the second frame.
  await page.evaluate(
    'new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))',
  );
  if (state === 'failing') await page.getByRole('main').getByRole('alert').first().waitFor();
  else await (state === 'empty' ? settled : ready)(page);
  assert.deepEqual(await faultsOf(page), []);
  assert.deepEqual(await wideParts(page), [], 'it is scrolled sideways');
  const wrong = troubles.slice(before).filter((text) => !expected[state].test(text));
  assert.deepEqual(wrong, []);
  if (state === 'viewer') await assertExplained(page);
}

let last: { readonly key: string; readonly window: Window } | undefined;

/** Whoever looks at a screen goes from there to the next one, as people do. */
async function windowOf(
  world: BrowserWorld,
  { screen: { isOpen = false }, state, look }: ScreenCheck,
): Promise<Window> {
  const key = [world.origin, state, look.colours, look.width, isOpen].join(' ');
  if (last?.key !== key) {
    // A window that nobody looks at reads its lists again and again all the same.
    await last?.window.close();
    const answers = spoiledBy(state, isOpen);
    const as = isOpen && state === 'data' ? {} : { as: world.tokens[state] };
    last = { key, window: await world.open({ ...look, ...as, ...(answers && { answers }) }) };
  }
  return last.window;
}

/** The states of a screen: before one has logged in, nothing is empty and nobody a viewer. */
export function statesOf({ isOpen, readsNothing }: ScreenCase): readonly State[] {
  if (readsNothing) return ['data', 'viewer'];
  return isOpen ? ['data', 'failing'] : states;
}

function spoiledBy(state: State, isOpen: boolean): Spoiled | undefined {
  if (state === 'empty') return 'empty';
  if (state === 'failing') return isOpen ? 'allFailing' : 'failing';
  return undefined;
}

/** What a viewer may not do is there, disabled, and says why. */
async function assertExplained(page: Page): Promise<void> {
  for (const button of await page.locator('button.danger, button[aria-disabled=true]').all()) {
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    const id = await button.getAttribute('aria-describedby');
    const why = await page.locator(`[id="${id}"]`).textContent();
    assert.match(
      why ?? '',
      /needs the role (operator|admin); your token has the role viewer|has ended/,
    );
  }
}

/** What axe finds: the page forbids scripts in it, so that it is evaluated from outside. */
export async function faultsOf(page: Page): Promise<string[]> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(axe.source);
  return await page.evaluate(async () => {
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
}

/** What reaches beyond the right side, when the page as a whole can be scrolled there. */
function wideParts(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const wide = [...document.querySelectorAll('body *')]
      .filter((part) => part.getBoundingClientRect().right > innerWidth)
      .map((part) => part.tagName + '.' + part.className);
    return ['the document', ...wide];
  })()`) as Promise<string[]>;
}
