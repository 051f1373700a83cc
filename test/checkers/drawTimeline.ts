import { readFileSync } from 'node:fs';
import type { History } from './history.ts';
import { timelineData } from './timeline/timelineData.ts';
import type { Violation } from './violation.ts';

/**
 * A history as one HTML page that needs nothing else: nodes as lanes, faults as bands, runs as
 * bars, violations in red; to be zoomed, moved and asked for details.
 */
export function drawTimeline(history: History, violations: readonly Violation[]): string {
  const data = timelineData(history, violations);
  const title = escapeHtml(`statecron history · ${data.title}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>
${part('page.css')}</style>
</head>
<body>
<header>
  <h1>${title}</h1>
  <p id="verdict"></p>
  <div class="tools">
    <button id="out" type="button" title="Zoom out (−)">−</button>
    <button id="in" type="button" title="Zoom in (+)">+</button>
    <button id="fit" type="button" title="Show everything (0)">Whole run</button>
    <button id="theme" type="button" title="Dark or light">Theme</button>
  </div>
</header>
<ul id="legend" aria-label="Legend"></ul>
<svg id="overview" role="img" aria-label="The whole run; drag to choose what is shown"></svg>
<main>
  <div id="stage"><svg id="lanes" role="img" aria-label="Lanes of the nodes"></svg></div>
  <aside>
    <section id="details" aria-live="polite"></section>
    <section id="violations"></section>
  </aside>
</main>
<div id="tip" role="tooltip" hidden></div>
<script type="application/json" id="data">${scriptJson(data)}</script>
<script type="module">
${scripts.map(script).join('\n')}</script>
</body>
</html>
`;
}

/** In the order in which they need each other. */
const scripts = ['scale', 'draw', 'tell', 'begin'] as const;

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
