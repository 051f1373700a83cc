import { readFileSync } from 'node:fs';
import type { History } from './history.ts';
import { type ReportContext, reportData } from './report/reportData.ts';
import type { Violation } from './violation.ts';

/**
 * A judged history as one HTML page that needs nothing else. Its first screen has the verdict and
 * the first violation: the broken promise, the launches concerned side by side, the fault that most
 * likely mattered, and what replays it. Below are the whole run, all faults and all ticks.
 */
export function drawReport(
  history: History,
  violations: readonly Violation[],
  context: ReportContext,
): string {
  const data = reportData(history, violations, context);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`statecron fault run · ${data.title}`)}</title>
<link rel="icon" href="data:,">
<style>
${part('page.css')}</style>
</head>
${body}
<script type="application/json" id="data">${scriptJson(data)}</script>
<script type="module">
${scripts.map(script).join('\n')}</script>
</html>
`;
}

const body = `<body>
<main>
<div id="top">
<header>
  <h1 id="verdict"></h1>
  <button id="theme" type="button">Dark or light</button>
  <p id="summary"></p>
</header>
<div id="first" hidden>
  <nav id="violations" aria-label="Violations"></nav>
  <article id="opened" aria-live="polite"></article>
</div>
</div>
<section id="run">
  <h2>The whole run</h2>
  <div class="tools">
    <button id="out" type="button" title="Zoom out (−)">−</button>
    <button id="in" type="button" title="Zoom in (+)">+</button>
    <button id="fit" type="button" title="Show everything (0)">Whole run</button>
    <span class="soft">+ − and arrows, drag, or Ctrl and the wheel; a click tells more.</span>
  </div>
  <ul id="legend" aria-label="Legend"></ul>
  <svg id="overview" role="img" aria-label="The whole run; drag to choose what is shown"></svg>
  <div id="stage">
    <svg id="lanes" role="img" aria-label="Faults, operations, and the lane of each node"></svg>
    <aside id="details" aria-live="polite"></aside>
  </div>
</section>
<section id="faults"><h2>What was injected when</h2></section>
<section id="ticks"><h2>Ticks</h2></section>
</main>
<div id="tip" role="tooltip" hidden></div>
</body>`;

/** In the order in which they need each other. */
const scripts = ['scale', 'draw', 'tell', 'messages', 'gantt', 'open', 'count', 'begin'] as const;

/** The modules of the page, put together into one script. */
function script(name: (typeof scripts)[number]): string {
  return part(`page/${name}.js`)
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export /gm, '');
}

function part(name: string): string {
  return readFileSync(new URL(`timeline/${name}`, import.meta.url), 'utf8');
}

/** In a script element only the beginning of a tag needs care. */
function scriptJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
