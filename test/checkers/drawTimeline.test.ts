import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { cleanHistory } from './clean/cleanHistory.ts';
import { randomPlan, richPlan } from './clean/plans.ts';
import { drawTimeline } from './drawTimeline.ts';
import type { History } from './history.ts';
import { judge } from './judge.ts';
import { draftOf } from './mutants/draft.ts';
import { startMutants } from './mutants/startMutants.ts';

const chromium = '/usr/bin/chromium';
const hasChromium = await access(chromium).then(
  () => true,
  () => false,
);
const skip = hasChromium ? false : `${chromium} is not there`;

test('the page asks nothing of any network and keeps odd names inside its data', () => {
  const draft = draftOf(cleanHistory(richPlan));
  const name = '</script><b>"odd" & {{data}} $& name';
  for (const process of draft.processes) process.job = name;
  const html = drawTimeline(draft, judge(draft));
  assert.equal(/(?:src|href)="(?!data:)/.test(html), false);
  assert.equal(html.includes('</script><b>'), false);
  const data = /id="data">(.*)<\/script>/.exec(html)?.[1] ?? '';
  assert.equal(JSON.parse(data).lanes[0].bars[0].job, name);
  assert.equal(/^(?:import|export) /m.test(html), false);
});

describe('the timeline in a browser', { skip }, () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'statecron-timeline-'));
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** The page after its script, what a visitor does, and one more drawing. */
  async function visit(history: History, deeds = ''): Promise<string> {
    const file = path.join(folder, 'timeline.html');
    const html = drawTimeline(history, judge(history));
    const visitor = `<script>addEventListener('error', ({ message }) =>
      document.body.append('TROUBLE ' + message));</script>`;
    const doing = `<script type="module">await new Promise(requestAnimationFrame);
      ${deeds}; await new Promise(requestAnimationFrame);
      document.body.dataset.visit = 'over';</script>`;
    await writeFile(file, html.replace('<body>', `<body>${visitor}`) + doing);
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--window-size=1300,800'];
    const profile = [`--user-data-dir=${path.join(folder, 'profile')}`];
    const clock = ['--virtual-time-budget=5000', '--dump-dom', pathToFileURL(file).href];
    let shown = '';
    // A busy machine may let the browser's virtual time end before the frames were drawn.
    for (let tries = 0; tries < 5 && !shown.includes('data-visit="over"'); tries += 1) {
      const { stdout } = await promisify(execFile)(chromium, [...flags, ...profile, ...clock], {
        timeout: 60_000,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024 * 1024,
      });
      shown = stdout.replace(/<(script|style).*?<\/\1>/gs, '');
    }
    assert.match(shown, /data-visit="over"/, 'the visit was never over');
    assert.equal(/TROUBLE.*/.exec(shown)?.[0], undefined);
    return shown;
  }

  test('a violation is listed, and its click shows when and how it came', async () => {
    const draft = draftOf(cleanHistory(richPlan));
    startMutants.find(({ rule }) => rule === 'C4')?.breakIt(draft);
    const shown = await visit(draft, "document.querySelector('.violation').click()");
    assert.match(shown, /C4 · P6.*lived at once for 1 ms/s);
    assert.match(shown, /aria-expanded="true".*gave its last sign of life/s);
    assert.match(shown, /<path [^>]*class="violation-line"/);
    assert.match(shown, /<path [^>]*class="accused"/);
  });

  test('a bar under the pointer tells its launch, and a click its whole life', async () => {
    const point = `const path = document.querySelector('#lanes path.succeeded');
      const [, x, y] = /^M([\\d.]+) ([\\d.]+)/.exec(path.getAttribute('d'));
      const { left, top } = document.getElementById('lanes').getBoundingClientRect();
      const where = { clientX: left + Number(x) + 1, clientY: top + Number(y) + 3, bubbles: true };
      for (const kind of ['pointermove', 'click'])
        document.getElementById('lanes').dispatchEvent(new PointerEvent(kind, where))`;
    const shown = await visit(cleanHistory(richPlan), point);
    assert.match(shown, /id="tip"[^>]*><b>[^<]+<\/b><span>launch: s[abc]\d:\d+/);
    assert.match(shown, /id="details".*<dt>tick<\/dt>.*<dt>result<\/dt><dd>succeeded/s);
  });

  test('a key zooms to the half of the run', async () => {
    const history = cleanHistory(richPlan);
    const press = (key: string) => `dispatchEvent(new KeyboardEvent('keydown', { key: '${key}' }))`;
    assert.match(await visit(history), />80 s</);
    const half = await visit(history, press('+'));
    assert.doesNotMatch(half, />80 s</);
    assert.match(half, />30 s</);
  });

  test('five thousand runs are drawn by a few paths', async () => {
    const jobs = Array.from({ length: 50 }, (_, place) => {
      const schedule = `*/${1 + (place % 5)} * * * * *`;
      return { name: `job-${place}`, schedule, runMs: 200, operations: [] };
    });
    const plan = { ...randomPlan(1), jobs, deaths: [], drains: [], outage: null, step: null };
    const history = cleanHistory({ ...plan, untilMs: 240_000 });
    assert.ok(history.processes.length > 5_000, `only ${history.processes.length} runs`);
    const lanes = /<svg id="lanes".*?<\/svg>/s.exec(await visit(history))?.[0] ?? '';
    const paths = lanes.match(/<path /g)?.length ?? 0;
    assert.ok(paths > 5 && paths < 100, `${paths} paths`);
    assert.match(lanes, /class="succeeded"/);
  });
});
