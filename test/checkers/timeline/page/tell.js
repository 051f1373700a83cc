import { draw, show } from './draw.js';
import {
  atOf,
  axisHeight,
  byId,
  data,
  layout,
  left,
  markHeight,
  rowHeight,
  secondsText,
  tip,
  view,
  width,
} from './scale.js';

/** What lies under the pointer: a violation's mark, a bar, an operation, a session or a fault. */
export function findAt(x, y) {
  const at = atOf(x);
  const near = (3 * (view.until - view.from)) / width();
  const isIn = ({ from, until }) => from - near <= at && at <= until + near;
  if (y > axisHeight && y < axisHeight + markHeight) {
    const index = data.violations.findIndex((each) => Math.abs(each.at - at) < 2.5 * near);
    if (index >= 0) return { kind: 'violation', index };
  }
  const row = layout.find(({ top, height }) => y >= top && y <= top + height);
  if (row === undefined || x < left) return null;
  if (row.kind === 'operations') {
    const found = data.operations.find((each) => isIn({ from: each.at, until: each.until }));
    return found === undefined ? null : { kind: 'operation', found };
  }
  const bands = (row.kind === 'faults' ? data.bands : row.lane.bands).filter(isIn);
  if (row.kind === 'lane') {
    const number = Math.floor((y - row.top - 15) / rowHeight);
    const bars = row.lane.bars.filter((bar) => bar.row === number && isIn(bar));
    const found = bars.find(({ from, until }) => from <= at && at <= until) ?? bars[0];
    if (found !== undefined) return { kind: 'bar', found, node: row.name };
    const life = row.lane.lives.find(isIn);
    if (y < row.top + 13 && life !== undefined) return { kind: 'life', found: life, bands };
  }
  return bands.length === 0 ? null : { kind: 'bands', bands };
}

/** What is told of it: a headline and facts. */
function tell(found) {
  const spanFacts = ({ from, until }) => [
    ['from', secondsText(from)],
    ['until', secondsText(until)],
    ['for', secondsText(until - from)],
  ];
  const bandFacts = (bands = []) =>
    bands.flatMap((band) => [
      ['fault', `${band.kind} (${band.target})`],
      ...spanFacts(band),
      ['stops', band.stops],
      ...(band.detail === '' ? [] : [['detail', band.detail]]),
    ]);
  if (found.kind === 'violation') {
    const { rule, promise, what } = data.violations[found.index];
    return { head: `${rule} breaks ${promise}`, facts: [['what', what]] };
  }
  if (found.kind === 'bar') {
    const { job, launch, seen, facts } = found.found;
    const unseen = seen ? [] : [['child', 'none was ever seen']];
    const own = [['launch', launch], ['node', found.node], ...spanFacts(found.found)];
    return { head: job, facts: [...own, ...unseen, ...facts] };
  }
  if (found.kind === 'operation') {
    const { text, outcome, at, until } = found.found;
    return { head: text, facts: [['outcome', outcome], ...spanFacts({ from: at, until })] };
  }
  if (found.kind === 'life') {
    const facts = [...spanFacts(found.found), ...bandFacts(found.bands)];
    return { head: `session ${found.found.id}`, facts };
  }
  return { head: found.bands[0].kind, facts: bandFacts(found.bands) };
}

export function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className !== undefined) made.className = className;
  return made;
}

export function showTip(event, found) {
  tip.hidden = found === null;
  if (found === null) return;
  const { head, facts } = tell(found);
  tip.replaceChildren(
    element('b', head),
    ...facts.slice(0, 6).map(([name, value]) => element('span', `${name}: ${value}`)),
  );
  const { width: wide, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(innerWidth - wide - 8, event.clientX + 14))}px`;
  tip.style.top = `${Math.max(4, Math.min(innerHeight - height - 8, event.clientY + 14))}px`;
}

export function showDetails(found) {
  const details = byId('details');
  if (found === null) {
    const how = 'Wheel or + − to zoom, drag or arrows to move, click for details.';
    details.replaceChildren(element('h2', 'Details'), element('div', how));
    return;
  }
  const { head, facts } = tell(found);
  const list = element('dl');
  for (const [name, value] of facts) list.append(element('dt', name), element('dd', value));
  details.replaceChildren(element('h2', head), list);
}

export function chooseViolation(index) {
  view.violation = view.violation === index ? null : index;
  if (view.violation !== null) {
    const { at, timeline } = data.violations[index];
    const times = [at, ...timeline.map((entry) => entry.at)].filter(
      (each) => Math.abs(each - at) < 12,
    );
    const margin = Math.max(0.05, (Math.max(...times) - Math.min(...times)) * 0.25);
    show(Math.min(...times) - margin, Math.max(...times) + margin);
  }
  listViolations();
  draw();
}

export function listViolations() {
  const section = byId('violations');
  const items = data.violations.slice(0, 500).map((violation, index) => {
    const { rule, promise, what, at, job, node, timeline } = violation;
    const button = element('button', undefined, 'violation');
    button.type = 'button';
    button.setAttribute('aria-expanded', String(index === view.violation));
    const where = [job && `job ${job}`, node && `node ${node}`].filter(Boolean);
    button.append(
      element('b', `${rule} · ${promise}`),
      element('small', [secondsText(at), ...where].join(' · ')),
      element('span', what),
    );
    if (index === view.violation) {
      const list = element('ol');
      for (const entry of timeline) {
        const item = element('li');
        item.append(element('time', secondsText(entry.at)), element('span', entry.text));
        list.append(item);
      }
      button.append(list);
    }
    button.onclick = () => chooseViolation(index);
    return button;
  });
  const many = data.violations.length;
  const head = many === 0 ? 'No promise was broken' : `${many} violation${many === 1 ? '' : 's'}`;
  section.replaceChildren(element('h2', head), ...items);
}
