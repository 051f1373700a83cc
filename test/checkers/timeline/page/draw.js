import {
  accused,
  axisHeight,
  bottom,
  box,
  clampX,
  classOf,
  data,
  isShown,
  lanesSvg,
  layout,
  overview,
  rowHeight,
  spanMin,
  view,
  width,
  xOf,
} from './scale.js';

export function svgText(x, y, text, className, anchor = 'start') {
  const safe = text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return `<text x="${x}" y="${y}" class="${className}" text-anchor="${anchor}">${safe}</text>`;
}

/** A round step of which about eight fit. */
export function gridStep(span) {
  const rough = span / 8;
  const ten = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * ten).find((step) => step >= rough);
}

function drawAxis(height) {
  const step = gridStep(view.until - view.from);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  let lines = '';
  let texts = '';
  for (let at = Math.ceil(view.from / step) * step; at <= view.until; at += step) {
    const x = xOf(at).toFixed(1);
    lines += `M${x} ${axisHeight - 8}V${height}`;
    texts += svgText(x, axisHeight - 13, `${at.toFixed(digits)} s`, 'soft', 'middle');
  }
  const { healed } = data;
  if (healed >= view.from && healed <= view.until) {
    const x = xOf(healed).toFixed(1);
    lines += `M${x} ${axisHeight - 8}V${height}`;
    texts += svgText(x, 9, 'healed', 'soft', 'middle');
  }
  return `<path d="${lines}" class="grid"/>${texts}`;
}

/** A fault is named by number and kind where there is room up to the next, else by its number. */
function nameBands(bands, top) {
  const places = bands.map(({ from }) => clampX(xOf(from)));
  return bands.map(({ number, kind }, index) => {
    const room = (places[index + 1] ?? width() - 12) - places[index] - 6;
    const name = [`#${number} ${kind}`, `#${number}`].find((text) => text.length * 6.2 < room);
    return name === undefined ? '' : svgText(places[index] + 3, top + 11, name, 'fault-name');
  });
}

function drawBands(bands, top, height) {
  return bands.map((band) => {
    const x = clampX(xOf(band.from));
    return `<path d="${box(band, top, height, 2)}" class="band ${band.stops}"/><path d="M${x} ${top}v${height}" class="band-edge"/>`;
  });
}

/** One path for all bars of a kind, so that thousands cost no more than a few. */
function drawBars({ lane, top, head }) {
  const paths = new Map();
  const add = (name, d) => paths.set(name, (paths.get(name) ?? '') + d);
  let texts = '';
  for (const bar of lane.bars) {
    if (!isShown(bar)) continue;
    const y = top + head + bar.row * rowHeight;
    const d = box(bar, y, rowHeight - 1);
    add(bar.seen ? classOf(bar) : `unseen ${classOf(bar)}`, d);
    if (accused.has(bar.launch)) add('accused', d);
    if (view.picked === bar) add('picked', d);
    const wide = clampX(xOf(bar.until)) - clampX(xOf(bar.from));
    if (rowHeight >= 11 && bar.seen && wide > bar.job.length * 6.4 + 8) {
      texts += svgText(clampX(xOf(bar.from)) + 4, y + 9.5, bar.job, 'bar-text');
    }
  }
  const order = [...paths].sort(
    ([a], [b]) => (a === 'accused' || a === 'picked') - (b === 'accused' || b === 'picked'),
  );
  return order.map(([name, d]) => `<path d="${d}" class="${name}"/>`).join('') + texts;
}

function drawRow(row) {
  const { kind, top, height } = row;
  const frame = `<path d="${box({ from: view.from, until: view.until }, top, height)}" class="lane"/>`;
  const everything = data.bands.filter(({ stops }) => stops === 'everything');
  if (kind === 'faults') {
    const bands = data.bands.filter(isShown);
    return frame + [...drawBands(bands, top, height), ...nameBands(bands, top + 4)].join('');
  }
  if (kind === 'operations') {
    const shown = data.operations.filter((each) => isShown({ from: each.at, until: each.until }));
    const d = shown
      .map((each) => box({ from: each.at, until: each.until }, top + 2, 10, 2))
      .join('');
    return `${frame}<path d="${d}" class="operation"/>`;
  }
  const lives = row.lane.lives.filter(isShown).map(({ from, until }) => {
    return `M${clampX(xOf(from)).toFixed(1)} ${top + row.head - 8}H${clampX(xOf(until)).toFixed(1)}`;
  });
  const own = row.lane.bands.filter(isShown);
  const bands = drawBands([...everything.filter(isShown), ...own], top, height).join('');
  const names = nameBands(own, top).join('');
  return `${frame}${bands}<path d="${lives.join('')}" class="life"/>${drawBars(row)}${names}`;
}

function drawViolations(height) {
  return data.violations
    .map(({ at }, index) => {
      if (at < view.from || at > view.until) return '';
      const x = xOf(at);
      const line =
        index === view.violation
          ? `<path d="M${x} ${axisHeight}V${height}" class="violation-line"/>`
          : '';
      const y = axisHeight + 2;
      return `${line}<path d="M${x - 6} ${y}h12l-6 11z" class="violation-mark"/>`;
    })
    .join('');
}

function drawLanes() {
  const height = bottom;
  lanesSvg.setAttribute('height', height);
  const names = layout.map(({ top, name }) => svgText(10, top + 12, name, 'name')).join('');
  lanesSvg.innerHTML =
    layout.map(drawRow).join('') + drawAxis(height) + drawViolations(height) + names;
}

function drawOverview() {
  const wide = overview.clientWidth;
  const x = (at) => (at / data.seconds) * wide;
  const bands = data.faults.map(
    ({ from, until, stops }) =>
      `<rect x="${x(from)}" width="${Math.max(1, x(until) - x(from))}" y="0" height="42" class="band ${stops === 'everything' ? stops : ''}" style="fill-opacity:.35"/>`,
  );
  const load = new Array(Math.ceil(wide / 2)).fill(0);
  for (const bar of data.lanes.flatMap((lane) => lane.bars)) {
    const last = Math.min(load.length - 1, Math.floor(x(bar.until) / 2));
    for (let slot = Math.max(0, Math.floor(x(bar.from) / 2)); slot <= last; slot += 1)
      load[slot] += 1;
  }
  const most = Math.max(1, ...load);
  const hills = load.map((many, slot) => `M${slot * 2 + 1} 42v${(-36 * many) / most}`).join('');
  const marks = data.violations.map(
    ({ at }) => `<path d="M${x(at) - 4} 0h8l-4 8z" class="violation-mark"/>`,
  );
  const shown = `<rect x="${x(view.from)}" width="${Math.max(3, x(view.until) - x(view.from))}" y="0.5" height="41" class="window"/>`;
  overview.innerHTML = `${bands.join('')}<path d="${hills}" stroke="var(--succeeded)" stroke-width="1.6" fill="none"/>${marks.join('')}${shown}`;
}

let isAsked = false;
export function draw() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    drawLanes();
    drawOverview();
  });
}

export function show(from, until) {
  const span = Math.min(data.seconds, Math.max(spanMin, until - from));
  view.from = Math.max(0, Math.min(data.seconds - span, from));
  view.until = view.from + span;
  draw();
}

export function zoom(factor, at = (view.from + view.until) / 2) {
  show(at - (at - view.from) * factor, at + (view.until - at) * factor);
}
