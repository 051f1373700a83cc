import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { fileScope } from '../support/testEngine.ts';
import { until } from '../support/until.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

const script = '<script>alert(1)</script>';
const image = '<img src=x onerror=alert(2)>';
const turned = 'pay\u202Etxt.exe';
const name = `${image} ${turned}`;

let world: BrowserWorld;
before(async () => {
  if (skip !== false) return;
  world = await makeBrowserWorld(fileScope);
  const command = `echo '${script}'; exit 3`;
  await world.addJob({ name, command, group: image, description: `${script} ${turned}` });
  await run(name, 'named');
});

test('names and commands of others are shown as they are, and do nothing', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  const job = `jobs/${encodeURIComponent(name)}?why=open`;
  for (const place of ['', 'jobs', job, 'runs/named', 'timeline', 'audit']) {
    await page.goto(`${world.origin}/#/${place}`);
    await page.getByText(image).first().waitFor();
    await page.getByText('pay⟨202E⟩txt.exe').first().waitFor();
    assert.doesNotMatch(await namesOf(page), /\u202E/, place);
    assert.doesNotMatch(await page.title(), /\u202E/, place);
    await expectHarmless(page);
  }
  assert.deepEqual(troubles, []);
  await close();
});

/** What a program may write, and what is read of it. */
const corpus: readonly (readonly [written: string, shown: RegExp])[] = [
  [script, /<script>alert\(1\)<\/script>\n/],
  [image, /<img src=x onerror=alert\(2\)>\n/],
  [
    '\\033]8;;javascript:alert(3)\\033\\\\click me\\033]8;;\\033\\\\',
    /⟨javascript:alert\(3\)⟩ click me\n/,
  ],
  [
    '\\033]8;;https://evil.example/\\aour site\\033]8;;\\a',
    /⟨https:\/\/evil\.example\/⟩ our site\n/,
  ],
  ['\\033]0;a title\\aand \\033]52;c;ZXZpbA==\\amore', /\nand more\n/],
  ['\\033P1$r0m\\033\\\\\\033[2J\\033[1;1Hnot cleared', /\nnot cleared\n/],
  ['pay\\342\\200\\256txt.exe', /pay⟨202E⟩txt\.exe\n/],
  ['nul\\000here \\b\\b\\bgone', /nul␀here ␈␈␈gone\n/],
  ['\\033[31mred\\033[0m \\033[8mhidden\\033[0m', /\nred hidden\n/],
  ['first\\rlast', /\nlast\n/],
  ['\\033]8;;never closed', /\n.*end of the corpus/],
];

test('what a program writes is text, and nothing but text', { skip }, async () => {
  const lines = corpus.map(([written]) => `printf '${written.replaceAll("'", "'\\''")}\\n'`);
  const command = ['echo begin', ...lines, 'echo end of the corpus'].join('\n');
  await world.addJob({ name: 'corpus', command });
  await run('corpus', 'corpus');
  const { close, page, troubles } = await openRun('corpus', 'end of the corpus');
  const text = await outputOf(page);
  for (const [written, shown] of corpus) assert.match(text, shown, written);
  assert.doesNotMatch(text, /(?![\n\t])[\p{Cc}\p{Cf}]/u);
  assert.ok(await page.getByText('hidden', { exact: true }).isVisible());
  await expectHarmless(page);
  assert.deepEqual(troubles, []);
  await close();
});

test('100,000 lines and lines of 1 MB leave the page usable', { skip }, async () => {
  const lines = (count: number) => `seq -f 'line %.0f of a long output' ${count}; echo the end`;
  await world.addJob({ name: 'short', command: lines(1_000), outputMax: '8MiB' });
  await world.addJob({ name: 'long', command: lines(100_000), outputMax: '8MiB' });
  const wide = "head -c 1000000 /dev/zero | tr '\\0' x; echo";
  await world.addJob({
    name: 'wide',
    command: `${wide}; ${wide}; echo the end`,
    outputMax: '8MiB',
  });
  for (const job of ['short', 'long', 'wide']) await run(job, job);
  const msOf = async (requestId: string) => {
    const { close, page, troubles } = await openRun(requestId, 'the end');
    const ms = await stepMs(page);
    const loopMs = await leastLoopMs(page);
    const text = await outputOf(page);
    assert.deepEqual(troubles, []);
    await close();
    return { loopMs, ms, text };
  };
  const short = await msOf('short');
  const long = await msOf('long');
  const wideOne = await msOf('wide');
  assert.ok(long.text.startsWith('line 1 of a long output\nline 2 of a long output\n'));
  assert.ok(long.text.endsWith('\nline 100000 of a long output\nthe end\n'));
  assert.equal(wideOne.text.match(/x/g)?.length, 2_000_000);
  // A hundred times as long, it is not a hundred times as slow, on a machine that is as busy.
  for (const { loopMs, ms } of [long, wideOne]) {
    const mostMs = 60 * Math.max(10, short.ms, loopMs);
    assert.ok(ms < mostMs, `${ms} ms, ${short.ms} ms for 1,000 lines, a loop ${loopMs} ms`);
  }
});

async function run(job: string, requestId: string): Promise<void> {
  await world.run(job, requestId);
  await until(`the end of ${requestId}`, async () => {
    const { result } = await world.read<{ result: string | null }>(`runs/${requestId}`);
    return result;
  });
}

async function openRun(requestId: string, end: string) {
  const window = await world.open({ as: world.token });
  await window.page.goto(`${world.origin}/#/runs/${requestId}`);
  const output = window.page.getByRole('region', { name: 'Output' });
  await output.getByText(end).last().waitFor({ state: 'attached' });
  return window;
}

/** As it is in the document, whether or not it can be seen. */
async function outputOf(page: Page): Promise<string> {
  return (await page.getByRole('region', { name: 'Output' }).textContent()) ?? '';
}

/** All texts, and what is read out instead of one. */
function namesOf(page: Page): Promise<string> {
  return page.evaluate(`[
    document.body.textContent,
    ...[...document.querySelectorAll('[aria-label], [title]')].flatMap((part) => [
      part.ariaLabel,
      part.title,
    ]),
  ].join()`) as Promise<string>;
}

/** No element was made of what others wrote, and no link leads away. */
async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(`[
    ...document.querySelectorAll('img, iframe, object, embed, body script'),
    ...[...document.links].filter(({ origin }) => origin !== location.origin),
  ].map((part) => part.outerHTML)`);
  assert.deepEqual(found, []);
}

/** How long the page takes to wrap all lines, draw them and scroll: the least of five. */
function stepMs(page: Page): Promise<number> {
  return page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const step = async () => {
      await frame();
      const began = performance.now();
      document.querySelector('.output-bar button').click();
      await frame();
      const box = document.querySelector('.lines');
      box.scrollTop = box.scrollHeight / 2;
      await frame();
      return performance.now() - began;
    };
    const steps = [];
    for (let number = 0; number < 5; number += 1) steps.push(await step());
    return Math.min(...steps);
  })()`) as Promise<number>;
}

/** What a loop takes that is 10 ms on a machine that does nothing else. */
function leastLoopMs(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const loopMs = () => {
      const began = performance.now();
      for (let at = 0, sum = 0; at < 1e7; at += 1) sum = (sum + at) | 0;
      return performance.now() - began;
    };
    return Math.min(...[1, 2, 3, 4, 5].map(loopMs));
  })()`);
}
