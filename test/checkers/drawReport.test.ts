import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { skip } from '../browser/browserProgram.ts';
import { faultsOf } from '../browser/checkScreen.ts';
import { useBrowser } from '../browser/useBrowser.ts';
import { cleanHistory } from './clean/cleanHistory.ts';
import { randomPlan, richPlan } from './clean/plans.ts';
import { drawReport } from './drawReport.ts';
import type { FaultRecord, History } from './history.ts';
import { judge } from './judge.ts';
import { measureAvailability } from './measureAvailability.ts';
import { type Draft, draftOf, need } from './mutants/draft.ts';
import { startMutants } from './mutants/startMutants.ts';
import { messagesOf } from './report/messagesOf.ts';
import type { RunMessages } from './report/runMessages.ts';

function reportOf(history: History, messages?: RunMessages): string {
  const availability = measureAvailability(history);
  const kindsKnown = ['node killed', 'node frozen past its TTL', 'spool disk full'];
  const context = { folder: '/tmp/a folder', availability, kindsKnown, notRun: [], troubles: [] };
  return drawReport(history, judge(history), { ...context, ...(messages && { messages }) });
}

const command = 'npm run fault -- --seed 1 --engine mariadb';

/** A broken history in which a node of the launches, and another one, had a fault. */
function brokenBy(fact: string): Draft {
  const draft = draftOf(cleanHistory(richPlan));
  draft.about.command = command;
  const { breakIt, rule } = need(startMutants.find((each) => each.fact === fact));
  breakIt(draft);
  const violation = judge(draft).find((each) => each.rule === rule);
  const { atMs, node } = need(violation);
  const fault = (kind: string, target: string): FaultRecord => {
    const span = { fromMs: atMs - 3_000, untilMs: atMs - 10 };
    return { kind, target, ...span, stops: 'node', detail: 'SIGSTOP' };
  };
  const own = node ?? 'a';
  const other = own === 'c' ? 'b' : 'c';
  for (const target of [other, own]) draft.faults.push(fault('node frozen past its TTL', target));
  draft.faults.push(fault('spool disk full', own));
  return draft;
}

test('the page asks nothing of any network and keeps odd names inside its data', () => {
  const draft = draftOf(cleanHistory(richPlan));
  const name = '</script><b>"odd" & {{data}} $& name';
  for (const process of draft.processes) process.job = name;
  const html = reportOf(draft);
  assert.equal(/(?:src|href)="(?!data:)/.test(html), false);
  assert.equal(html.includes('</script><b>'), false);
  const data = /id="data">(.*)<\/script>/.exec(html)?.[1] ?? '';
  assert.equal(JSON.parse(data).lanes[0].bars[0].job, name);
  assert.equal(/^(?:import|export) /m.test(html), false);
});

describe('the report in a browser', { skip }, () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'statecron-report-'));
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** The page, opened from the disk; whatever it requests or says on its console is wrong. */
  async function open(
    t: TestContext,
    history: History,
    colorScheme: 'light' | 'dark' = 'light',
    messages: RunMessages = messagesOf(history, () => true),
  ): Promise<Page> {
    const file = path.join(folder, 'report.html');
    await writeFile(file, reportOf(history, messages));
    const viewport = { width: 1_280, height: 800 };
    const browser = await useBrowser();
    const context = await browser.newContext({ viewport, colorScheme });
    t.after(() => context.close());
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('pageerror', ({ message }) => wrong.push(message));
    page.on('console', (message) => wrong.push(message.text()));
    page.on('request', (request) => wrong.push(request.url()));
    const { href } = pathToFileURL(file);
    await page.goto(href);
    await drawn(page);
    t.after(() => assert.deepEqual(wrong, [href, 'data:,'].slice(0, wrong.length)));
    return page;
  }

  const broken = [
    {
      fact: 'two runs that covered each other whole',
      says: /the processes of two launches of one slot never live at once.*C4/,
      rule: 'C4',
    },
    {
      fact: 'a tick that the system forgot altogether',
      says: /each tick that has to start does so in time.*C1/,
      rule: 'C1',
    },
    {
      fact: 'a tick that two launches started',
      says: /a tick's attempt starts at most once.*C3/,
      rule: 'C3',
    },
  ];
  for (const { fact, says, rule } of broken) {
    test(`the first screen explains ${fact}`, async (t) => {
      const draft = brokenBy(fact);
      const violation = judge(draft).find((each) => each.rule === rule);
      const page = await open(t, draft);
      const opened = page.locator('#opened');
      const gantt = opened.locator('#gantt');
      const first = [
        page.getByRole('heading', { level: 1 }),
        opened.getByRole('heading', { level: 2 }).filter({ hasText: says }),
        opened.getByText(
          need(violation)
            .what.slice(-40)
            .replace(/\d{4}-\d\d-\d\dT/, ''),
        ),
        opened.locator('.cause').getByText(/^#\d+ node frozen past its TTL \(\w\)$/),
        gantt.locator('text.name').filter({ hasText: /^#\d+ node frozen past its TTL/ }),
        opened.locator('.facts tbody tr').nth(3),
        opened.getByText(`npm run fault -- --replay '/tmp/a folder'`),
        opened.getByText(command, { exact: true }),
        opened.locator('summary').filter({ hasText: 'Words' }),
      ];
      for (const part of first) await assertSeen(part);
      // A launch is drawn whole, and so is what did not come.
      const heads = gantt.locator('text.name').filter({ hasText: /:\d+|no launch/ });
      assert.ok((await heads.count()) >= 2);
      for (const head of await heads.all()) await assertSeen(head);
      const { node, launchId } = need(violation);
      if (launchId !== null) {
        const named = `(${node})`;
        await assertSeen(opened.locator('.likely-fault').filter({ hasText: named }));
      } else await assertSeen(gantt.locator('rect.missing'));
    });
  }

  test('a report says why no command deals its faults again, and explains its words', async (t) => {
    const draft = brokenBy('a tick that two launches started');
    delete draft.about.command;
    const page = await open(t, draft);
    await assertSeen(page.getByText(/^No command deals these faults again: they were pressed/));
    const words = page.locator('.words');
    await words.locator('summary').click();
    await assertSeen(words.locator('dd').last());
    assert.match(await words.innerText(), /launch id\s+session:number.*accused.*excused ticks/s);
  });

  test('in both colours nothing is hard to read, and no text is below 11 pixels', async (t) => {
    for (const colours of ['light', 'dark'] as const) {
      const page = await open(t, brokenBy('a tick that two launches started'), colours);
      assert.deepEqual(await faultsOf(page), []);
      const small = await page.evaluate(`[...document.querySelectorAll('body *')]
        .filter((each) => each.checkVisibility())
        .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 11)
        .map((each) => each.outerHTML)`);
      assert.deepEqual(small, []);
    }
  });

  test('beneath the launches stands what their actors said, or why it is not known', async (t) => {
    const draft = brokenBy('a tick that two launches started');
    const violation = need(judge(draft).find(({ rule }) => rule === 'C3'));
    const [told = '', untold = ''] = violation.launches;
    const page = await open(
      t,
      draft,
      'light',
      messagesOf(draft, (each) => each !== untold),
    );
    const part = page.locator('.messages');
    const summary = (await part.locator('summary').textContent()) ?? '';
    assert.ok(summary.includes(`${told} 3`) && summary.includes(`${untold} none`), summary);
    await assertSeen(part.locator('summary'));
    assert.equal(await part.locator('table').first().isVisible(), false);
    await part.locator('summary').click();
    const own = (id: string) => part.locator('div').filter({ hasText: `${id}, node` });
    const rows = await own(told).locator('tbody tr').allInnerTexts();
    assert.equal(rows.length, 3);
    assert.match(
      rows.join(),
      /s\tslot\tafter untilTick\tprepare.queueing.*committer > slot\tfinish.committed\tidle/s,
    );
    await assertSeen(own(untold).getByText(/^None: its node reported others and not this one/));
    await assertSeen(page.locator('.facts tbody tr').first());
  });

  test('keys go from one violation to the next and reach the facts', async (t) => {
    const draft = brokenBy('two runs that covered each other whole');
    const violations = judge(draft);
    assert.ok(violations.length > 1);
    const page = await open(t, draft);
    const current = page.locator('#violations button[aria-current=true]');
    await page.keyboard.press('j');
    assert.equal(await current.getAttribute('data-index'), '1');
    assert.match(await page.locator('.broken').allTextContents().then(String), /C\d+/);
    await page.keyboard.press('k');
    assert.equal(await current.getAttribute('data-index'), '0');
    await page.locator('.facts').focus();
    assert.equal(await page.evaluate('document.activeElement.className'), 'facts');
  });

  test('a run without a violation says so, and shows the whole run first', async (t) => {
    const page = await open(t, cleanHistory(richPlan));
    await assertSeen(page.getByRole('heading', { name: 'No promise was broken' }));
    await assertSeen(page.locator('#overview'));
    assert.equal(await page.locator('#first').isVisible(), false);
    const summary = (await page.locator('#summary').textContent()) ?? '';
    assert.match(summary, /^\d+ of all \d+ ticks .* 2 faults of 2 of the 3 kinds known/);
    assert.match(await page.locator('#ticks').innerText(), /all ticks.*excused.*had to start/s);
    const kinds = page.locator('#faults');
    assert.match(await kinds.innerText(), /2 of the 3 kinds known were used/);
  });

  test('faults are named on the bands of their lanes', async (t) => {
    const page = await open(t, cleanHistory(richPlan));
    const names = await page.locator('#lanes .fault-name').allTextContents();
    assert.deepEqual(names, ['#2 database stopped', '#1 node killed']);
  });

  test('a bar under the pointer tells its launch, and a click its whole life', async (t) => {
    const page = await open(t, cleanHistory(richPlan));
    await page.evaluate(`{
      const path = document.querySelector('#lanes path.succeeded');
      const [, x, y] = /^M([\\d.]+) ([\\d.]+)/.exec(path.getAttribute('d'));
      const lanes = document.getElementById('lanes');
      const { left, top } = lanes.getBoundingClientRect();
      const where = { clientX: left + Number(x) + 1, clientY: top + Number(y) + 3, bubbles: true };
      for (const kind of ['pointermove', 'click'])
        lanes.dispatchEvent(new PointerEvent(kind, where));
    }`);
    assert.match(await page.locator('#tip').innerText(), /launch: s[abc]\d:\d+/);
    assert.match(
      await page.locator('#details').innerText(),
      /tick.*result\s+succeeded.*Messages.*committer > slot\s+finish.committed\s+idle/s,
    );
  });

  test('a key zooms to the half of the run', async (t) => {
    const page = await open(t, cleanHistory(richPlan));
    const scale = page.locator('#lanes');
    assert.match(await scale.innerHTML(), />80 s</);
    await page.keyboard.press('+');
    await drawn(page);
    assert.doesNotMatch(await scale.innerHTML(), />80 s</);
    assert.match(await scale.innerHTML(), />30 s</);
  });

  test('five thousand runs are drawn by a few paths', async (t) => {
    const jobs = Array.from({ length: 50 }, (_, place) => {
      const schedule = `*/${1 + (place % 5)} * * * * *`;
      return { name: `job-${place}`, schedule, runMs: 200, operations: [] };
    });
    const plan = { ...randomPlan(1), jobs, deaths: [], drains: [], outage: null, step: null };
    const history = cleanHistory({ ...plan, untilMs: 240_000 });
    assert.ok(history.processes.length > 5_000, `only ${history.processes.length} runs`);
    const page = await open(t, history);
    const paths = await page.locator('#lanes path').count();
    assert.ok(paths > 5 && paths < 100, `${paths} paths`);
  });
});

/** What is drawn is drawn at the next frame. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))',
  );
}

/** It is whole on the first screen, and nothing lies over it. */
async function assertSeen(part: Locator): Promise<void> {
  const box = await part.first().boundingBox();
  const what = String(part);
  assert.ok(box !== null && box.width > 0 && box.height > 0, `${what} is not there`);
  const isInside = box.x >= 0 && box.y >= 0 && box.x + box.width <= 1_280;
  assert.ok(isInside && box.y + box.height <= 800, `${what} is at ${JSON.stringify(box)}`);
  // Without the library of a browser's types it is written as text.
  const isOnTop = await part.first().evaluate(
    new Function(
      'element',
      `const { left, top, width, height } = element.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      const svg = element.closest('svg');
      return element.contains(found) || found === svg || Boolean(svg?.contains(found));`,
    ) as (element: unknown) => boolean,
  );
  assert.ok(isOnTop, `something lies over ${what}`);
}
