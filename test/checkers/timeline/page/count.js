import { show } from './draw.js';
import { countOf, times } from './open.js';
import { byId, data, secondsText } from './scale.js';
import { element, tableOf } from './tell.js';

const percent = (part, all) =>
  `${(Math.floor((all === 0 ? 1 : part / all) * 1000) / 10).toFixed(1)} %`;

/** All ticks first: what was excused is a part of what a user would have waited for. */
export function tellVerdict() {
  const { violations, faults, kinds, ticks, about, lanes, seconds } = data;
  const rules = [...new Set(violations.map(({ rule }) => rule))];
  const [first] = violations;
  const many = times(violations.length);
  const verdict = byId('verdict');
  verdict.className = first === undefined ? 'kept' : 'broken';
  verdict.textContent = 'No promise was broken';
  if (rules.length === 1)
    verdict.textContent = `A promise was broken ${many}: ${first.explained.meaning.rule} (${first.rule})`;
  else if (rules.length > 1) {
    const each = rules.map((rule) => `${rule} ${times(countOf(rule))}`);
    verdict.textContent = `${rules.length} rules were broken, ${many}: ${each.join(', ')}`;
  }
  const used = new Set(faults.map(({ kind }) => kind)).size;
  byId('summary').textContent =
    `${ticks.startedInTime} of all ${ticks.ticks} ticks started within 1 s ` +
    `(${percent(ticks.startedInTime, ticks.ticks)}); ${ticks.excused} were excused; ` +
    `of ${ticks.obliged} that had to start ${ticks.onTime} did ` +
    `(${percent(ticks.onTime, ticks.obliged)}). ${faults.length} faults of ${used} of the ` +
    `${kinds.known.length} kinds known, ${lanes.length} nodes, ${seconds.toFixed(0)} s ` +
    `(seed ${about.seed}, ${about.engine}).`;
}

/** Every fault with its number, when it was injected and when it was healed. */
export function tellFaults() {
  const { faults, kinds, troubles } = data;
  const rows = faults.map((fault) => {
    const { number, kind, target, from, until, stops, detail } = fault;
    const button = element('button', secondsText(from));
    button.type = 'button';
    button.title = 'Show it in the lanes';
    button.onclick = () => {
      const margin = Math.max(1, until - from);
      show(from - margin, until + margin);
      byId('run').scrollIntoView();
    };
    const late = { nothing: 'nothing', node: 'what its node holds', everything: 'everything' };
    return [`#${number}`, button, secondsText(until), kind, target, late[stops], detail];
  });
  const heads = ['number', 'from', 'until', 'kind', 'struck', 'may be late', 'detail'];
  const used = new Set(faults.map(({ kind }) => kind));
  const unused = kinds.known.filter((kind) => !used.has(kind));
  const counts = `${used.size} of the ${kinds.known.length} kinds known were used.`;
  const notUsed = element('details');
  notUsed.append(element('summary', `${unused.length} were not`), unused.join(', '));
  byId('faults').append(
    element('p', counts),
    tableOf(heads, rows),
    ...kinds.notRun.map(({ kind, reason }) => element('p', `Not run: ${kind}: ${reason}`)),
    ...troubles.map((text) => element('p', `Not as planned: ${text}`)),
    notUsed,
  );
}

/** The ticks, all of them first, and why some were excused. */
export function tellTicks() {
  const { ticks, startedInTime, excused, obliged, onTime, excuses } = data.ticks;
  const why = Object.entries(excuses).sort(([, a], [, b]) => b - a);
  const rows = [
    ['all ticks that the schedules named', ticks, ''],
    ['started within 1 s', startedInTime, percent(startedInTime, ticks)],
    ['excused: could have been late or not have started', excused, percent(excused, ticks)],
    ...why.map(([text, many]) => [`— ${text}`, many, percent(many, ticks)]),
    ['had to start', obliged, percent(obliged, ticks)],
  ].map((row) => row.map(String));
  const share = `${percent(onTime, obliged)} of these`;
  rows.push(['— did within 1 s', String(onTime), share]);
  byId('ticks').append(tableOf(['which', 'ticks', 'of all'], rows));
}
