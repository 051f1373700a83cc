import { draw, show } from './draw.js';
import { ganttOf } from './gantt.js';
import { messagesAbout } from './messages.js';
import { byId, data, secondsText, short, view } from './scale.js';
import { element, tableOf } from './tell.js';

const shownMax = 500;

export const countOf = (rule) => data.violations.filter((each) => each.rule === rule).length;
export const times = (many) => (many === 1 ? 'once' : `${many} times`);

/** Opens a violation: what was broken, by what most likely, the launches and the facts. */
export function openViolation(index) {
  const violation = data.violations[index];
  view.violation = index;
  for (const button of byId('violations').querySelectorAll('button')) {
    const isOpen = Number(button.dataset.index) === index;
    button.setAttribute('aria-current', String(isOpen));
    if (!isOpen) continue;
    button.closest('details').open = true;
    button.scrollIntoView({ block: 'nearest' });
  }
  const { explained, at } = violation;
  const article = byId('opened');
  if (explained === null) {
    const why = 'Others of its rule are explained, which are of the same making.';
    article.replaceChildren(
      headOf(violation),
      element('p', short(violation.what)),
      element('p', why),
    );
    show(at - 2, at + 2);
    return;
  }
  const told = element('div', undefined, 'told');
  told.append(promiseOf(violation), causeOf(violation));
  const { launches } = explained;
  const messages = launches.length === 0 ? [] : [messagesAbout(explained)];
  article.replaceChildren(told, element('figure'), ...messages, factsOf(explained), wordsOf());
  drawGantt();
  show(explained.from, explained.until);
}

function headOf({ rule, explained }) {
  const head = element('h2', `Broken: ${explained?.meaning.rule ?? ''} `);
  head.append(element('span', `(${rule})`, 'broken'));
  return head;
}

function promiseOf(violation) {
  const { promise, what, explained, at } = violation;
  const part = element('section', undefined, 'promise');
  const here = element('p', undefined, 'here');
  here.append(element('b', `Broken at ${secondsText(at)}: `), short(what));
  const kept = element('p', undefined, 'soft');
  kept.append(element('b', promise), `: ${explained.meaning.promise}`);
  part.append(headOf(violation), element('p', explained.meaning.harm), here, kept);
  return part;
}

const faultName = ({ number, kind, target }) => `#${number} ${kind} (${target})`;

function causeOf({ explained }) {
  const part = element('section', undefined, 'cause');
  const [first, ...others] = explained.faults.map((each) => ({
    ...data.faults[each.number - 1],
    why: each.why,
  }));
  if (first === undefined) {
    part.append(
      element('h3', 'No fault mattered'),
      element('p', 'None was in effect or had just ended: it breaks without one.', 'why'),
    );
  } else {
    const { from, until, detail, why } = first;
    const head = explained.isLikely
      ? 'The fault that most likely mattered'
      : 'A fault of that time';
    const name = element('p', undefined, 'likely-fault');
    const when = ` ${secondsText(from)} to ${secondsText(until)}${detail === '' ? '' : `, ${detail}`}`;
    name.append(element('b', faultName(first)), when);
    part.append(element('h3', head), name, element('p', short(why), 'why'));
    const also = others.map(faultName).join(', ');
    if (also !== '') part.append(element('p', `Also at that time: ${also}`, 'soft also'));
  }
  part.append(...commands());
  return part;
}

function commands() {
  const { replay, again } = data.commands;
  const line = (name, text) => {
    const made = element('p', undefined, 'command');
    made.append(element('span', name, 'soft command-name'), element('code', text));
    return made;
  };
  const all = [line('Judge this folder again:', replay)];
  const none =
    'No command deals these faults again: they were pressed on the fault board, or the history is ' +
    'of a version that kept none.';
  all.push(
    again === null ? element('p', none, 'soft also') : line('Deal these faults again:', again),
  );
  return [element('h3', 'To replay it'), ...all];
}

/** The drawing, as wide as there is room now. */
export function drawGantt() {
  const figure = byId('opened').querySelector('figure');
  const violation = data.violations[view.violation];
  if (figure === null || violation?.explained == null) return;
  const { launches, more, faults } = violation.explained;
  const bands = faults.map(({ number }) => data.faults[number - 1]);
  const { height, inner } = ganttOf(violation, bands, figure.clientWidth);
  const told = `Launches ${launches.map(({ launchId }) => short(launchId)).join(', ')} by time`;
  const rest = more === 0 ? '' : ` ${more} launches more are not drawn.`;
  figure.innerHTML = `<svg id="gantt" role="img" height="${height}"></svg><figcaption></figcaption>`;
  figure.firstChild.setAttribute('aria-label', told);
  figure.firstChild.innerHTML = inner;
  figure.lastChild.textContent =
    `A launch is one try to run a job. Slot: the database’s row that lets one launch go on at a time ` +
    `(light: prepare, dark: executing). Child: what its process itself wrote. Row: the history. ` +
    `Upright dashes: its node’s session was ended. Strokes above the slot: messages.${rest}`;
}

function factsOf({ facts }) {
  const part = element('section', undefined, 'facts');
  part.tabIndex = 0;
  part.setAttribute('aria-label', 'Facts');
  const rows = facts.map(({ at, from, text }) => {
    const what = element('span', short(text));
    what.title = text;
    if (from === 'judge') what.className = 'broken';
    return [secondsText(at), from, what];
  });
  const table = tableOf(['at', 'source', 'what'], rows);
  part.append(table);
  return part;
}

const words = {
  'launch id': 'session:number; a session is one life of a node, and numbers its launches',
  accused: 'the launch that the judge names',
  'excused ticks':
    'those for which a fault, the job’s policies or a change explain that they did not start in time',
  'C1 to C12': 'the rules of the judge, docs/faults.md',
  'P1 to P23': 'the promises of the design, ARCHITECTURE.md',
  '#1, #2 …': 'the faults in the order of time, listed below',
};

function wordsOf() {
  const [part, list] = [element('details', undefined, 'words'), element('dl')];
  for (const [word, meaning] of Object.entries(words)) {
    list.append(element('dt', word), element('dd', meaning));
  }
  part.append(element('summary', 'Words'), list);
  return part;
}

/** The list of violations; the first one is opened. */
export function listViolations() {
  if (data.violations.length === 0) return;
  byId('first').hidden = false;
  const groups = new Map();
  for (const [index, { rule, at, job }] of data.violations.slice(0, shownMax).entries()) {
    const button = element('button', secondsText(at));
    button.type = 'button';
    button.dataset.index = index;
    if (job !== null) button.append(element('span', job));
    button.onclick = () => openViolation(index);
    groups.set(rule, [...(groups.get(rule) ?? []), button]);
  }
  const parts = [...groups].map(([rule, buttons]) => {
    const [group, list] = [element('details'), element('div')];
    // Of several groups with one name one is open.
    group.setAttribute('name', 'rules');
    list.append(...buttons);
    group.append(element('summary', `${rule} · ${times(countOf(rule))}`), list);
    return group;
  });
  byId('violations').replaceChildren(...parts);
  openViolation(0);
  draw();
}
