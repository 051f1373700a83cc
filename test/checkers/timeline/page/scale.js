export const data = JSON.parse(document.getElementById('data').textContent);
export const byId = (id) => document.getElementById(id);
export const lanesSvg = byId('lanes');
export const overview = byId('overview');
export const tip = byId('tip');

/** Seconds shown, and what was clicked. */
export const view = { from: 0, until: data.seconds, picked: null, violation: null };

export const left = 92;
export const axisHeight = 30;
export const markHeight = 18;
const eventHeight = 26;
const gap = 10;
export const spanMin = 0.02;

export const accused = new Set(data.violations.flatMap(({ launches }) => launches));

/** Ids of sessions and launches as the page of statecron shortens them, and times without the day. */
export const short = (text) =>
  text
    .replace(/\b(s[0-9a-f]{6})[0-9a-f]{12,}/g, '$1…')
    .replace(/\d{4}-\d\d-\d\dT([\d:]{8})(?:\.000)?([.\d]*)Z/g, '$1$2');
export const classOf = ({ result }) =>
  ['succeeded', 'failed', 'lost', 'going'].includes(result) ? result : 'other';
export const secondsText = (at, digits = 3) => `${at.toFixed(digits)} s`;

/** Where everything stands from top to bottom; the same at every zoom. */
export const rowHeight = Math.max(
  4,
  Math.min(15, 520 / data.lanes.reduce((sum, { rows }) => sum + rows, 0)),
);
export const layout = [];
export let bottom = axisHeight + markHeight;
const place = (height, what) => {
  layout.push({ top: bottom, height, ...what });
  bottom += height + gap;
};
place(eventHeight, { kind: 'faults', name: 'system' });
place(14, { kind: 'operations', name: 'operations' });
for (const lane of data.lanes) {
  // Names of faults stand above the session, and that above the bars.
  const head = lane.bands.length === 0 ? 15 : 29;
  place(head + 3 + lane.rows * rowHeight, { kind: 'lane', name: lane.name, lane, head });
}

export const width = () => lanesSvg.clientWidth;
export const xOf = (at) =>
  left + ((at - view.from) / (view.until - view.from)) * (width() - left - 12);
export const atOf = (x) =>
  view.from + ((x - left) / (width() - left - 12)) * (view.until - view.from);
export const isShown = ({ from, until }) => until >= view.from && from <= view.until;
export const clampX = (x) => Math.max(left, Math.min(width() - 12, x));

export function box({ from, until }, top, height, least = 1) {
  const x = clampX(xOf(from));
  const w = Math.max(least, clampX(xOf(until)) - x);
  return `M${x.toFixed(1)} ${top.toFixed(1)}h${w.toFixed(1)}v${height}h${(-w).toFixed(1)}z`;
}
