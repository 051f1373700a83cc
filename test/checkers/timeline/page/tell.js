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
    const number = Math.floor((y - row.top - row.head) / rowHeight);
    const bars = row.lane.bars.filter((bar) => bar.row === number && isIn(bar));
    const found = bars.find(({ from, until }) => from <= at && at <= until) ?? bars[0];
    if (found !== undefined) return { kind: 'bar', found, node: row.name };
    const life = row.lane.lives.find(isIn);
    if (y < row.top + row.head - 2 && life !== undefined)
      return { kind: 'life', found: life, bands };
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
      ['fault', `#${band.number} ${band.kind} (${band.target})`],
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
    details.replaceChildren();
    return;
  }
  const { head, facts } = tell(found);
  const list = element('dl');
  for (const [name, value] of facts) list.append(element('dt', name), element('dd', value));
  details.replaceChildren(element('h3', head), list);
}

/** A table of texts and elements. */
export function tableOf(heads, rows) {
  const table = element('table');
  const head = element('tr');
  for (const name of heads) {
    const cell = element('th', name);
    cell.scope = 'col';
    head.append(cell);
  }
  const [top, rest] = [element('thead'), element('tbody')];
  top.append(head);
  for (const row of rows) {
    const made = element('tr');
    for (const value of row) {
      const cell = element('td');
      cell.append(value);
      made.append(cell);
    }
    rest.append(made);
  }
  table.append(top, rest);
  return table;
}
