import { gridStep, svgText } from './draw.js';
import { data, short } from './scale.js';

const headWidth = 216;
const axis = 18;
const faultHeight = 17;
const lineHeight = 13;
const groupHeight = 3 * lineHeight + 9;
const letter = 6.1;

/**
 * The launches of a violation side by side: what the slot row, the child and the run row say of each,
 * under the faults of that time; as the text of an SVG that is so many pixels wide.
 */
export function ganttOf(violation, faults, width) {
  const { explained } = violation;
  const right = width - 14;
  const perSecond = (right - headWidth) / (explained.until - explained.from);
  const x = (at) =>
    headWidth +
    (Math.max(explained.from, Math.min(explained.until, at)) - explained.from) * perSecond;
  const field = { x, right, until: explained.until, parts: [], top: axis };
  const groups = explained.launches.length + (explained.missing === null ? 0 : 1);
  const height = axis + faults.length * faultHeight + 6 + groups * groupHeight;
  drawScale(field, violation, height);
  for (const [place, fault] of faults.entries()) {
    drawFault(field, fault, explained.isLikely && place === 0, height);
  }
  field.top += 6;
  if (explained.missing !== null) drawMissing(field, explained.missing, violation.job);
  for (const launch of explained.launches) drawLaunch(field, launch);
  drawBreach(field, violation.at, height);
  return { height, inner: field.parts.join('') };
}

function rect(from, until, top, height, className, title) {
  const wide = Math.max(3, until - from);
  const told = title.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return `<rect x="${from.toFixed(1)}" y="${top}" width="${wide.toFixed(1)}" height="${height}" class="${className}"><title>${told}</title></rect>`;
}

function drawScale({ x, parts }, { at: brokenAt, explained }, height) {
  const { from, until } = explained;
  const step = gridStep(until - from);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  let lines = '';
  for (let at = Math.ceil(from / step) * step; at <= until; at += step) {
    lines += `M${x(at).toFixed(1)} ${axis - 4}V${height}`;
    // The breach has its name there.
    if (Math.abs(x(at) - x(brokenAt) - 20) < 50) continue;
    parts.push(svgText(x(at), axis - 7, `${at.toFixed(digits)} s`, 'soft', 'middle'));
  }
  parts.push(`<path d="${lines}" class="grid"/>`);
}

/** A text inside what it names, else at its right, else at its left. */
function label({ right, parts }, from, until, y, text, className) {
  const wide = text.length * letter + 6;
  if (until - from > wide) parts.push(svgText(from + 4, y, text, className));
  else if (Math.max(until, from + 3) + wide < right)
    parts.push(svgText(Math.max(until, from + 3) + 4, y, text, className));
  else if (from - wide > headWidth) parts.push(svgText(from - 4, y, text, className, 'end'));
}

function drawFault(field, fault, isLikely, height) {
  const { x, parts, top } = field;
  const [from, until] = [x(fault.from), x(fault.until)];
  const name = `#${fault.number} ${fault.kind}`;
  const title = `${name} (${fault.target}), ${fault.from} to ${fault.until} s`;
  if (isLikely) {
    const shade = { top: top + faultHeight, high: height - top - faultHeight };
    parts.push(rect(from, until, shade.top, shade.high, 'band shade', title));
  }
  parts.push(
    rect(from, until, top + 1, faultHeight - 3, `band ${isLikely ? 'likely' : ''}`, title),
  );
  const target = fault.target.length > 24 ? `${fault.target.slice(0, 24)}…` : fault.target;
  parts.push(svgText(8, top + 12, `fault on ${target}`, 'soft'));
  label(field, from, until, top + 12, name, isLikely ? 'name' : '');
  field.top += faultHeight;
}

function drawHead({ parts, top }, name, under) {
  parts.push(
    `<path d="M0 ${top - 1}H4000" class="grid"/>`,
    svgText(8, top + 13, name, 'name'),
    svgText(8, top + 28, under, 'soft'),
  );
}

const roles = { accused: ', accused', concerned: '', before: ', before it', after: ', after it' };

function drawLaunch(field, launch) {
  const { x, parts, top } = field;
  const tick = launch.tick === null ? '' : ` · tick ${launch.tick}`;
  drawHead(field, `${short(launch.launchId)}${roles[launch.role]}`, `node ${launch.node}${tick}`);
  const line = (place) => top + 2 + place * lineHeight;
  for (const [place, name] of ['slot', 'child', 'row'].entries()) {
    parts.push(svgText(headWidth - 8, line(place) + 10, name, 'soft', 'end'));
  }
  const bar = (place, span, className, text) => {
    const [from, until] = [x(span.from), x(span.until)];
    const title = `${text}, ${span.from} to ${span.until} s`;
    parts.push(rect(from, until, line(place), lineHeight - 2, className, title));
    return [from, until];
  };
  for (const each of launch.slot) {
    const name = each.isOpen ? `${each.state}, to the end` : each.state;
    const [from, until] = bar(0, each, each.state, name);
    if (until - from > name.length * letter + 6)
      parts.push(svgText(from + 4, line(0) + 9.5, name, ''));
  }
  const { said = [] } = data.messages?.launches[launch.launchId] ?? {};
  const strokes = said.filter(([at]) => at <= field.until).map(([at]) => `M${x(at)} ${top}v4`);
  parts.push(`<path d="${strokes.join('')}" class="said"/>`);
  for (const each of launch.children) {
    const end = each.ended === null ? 'no END' : `exit ${each.exitCode}`;
    const name = `process ${each.pid}, ${end}`;
    const seen = each.ended === null ? each.until : each.ended;
    const [from, until] = bar(1, each, 'unended', name);
    if (each.ended !== null) bar(1, { from: each.from, until: seen }, 'child', name);
    label(field, from, until, line(1) + 9.5, name, '');
  }
  for (const each of launch.runs) {
    const [from, until] = bar(2, each, `run ${each.result}`, each.result);
    label(field, from, until, line(2) + 9.5, each.result, '');
  }
  if (launch.runs.length === 0) parts.push(svgText(headWidth + 4, line(2) + 9.5, 'none', 'soft'));
  if (launch.sessionEnd !== null && launch.sessionEnd <= field.until) drawEnd(field, launch, line);
  field.top += groupHeight;
}

function drawEnd({ x, parts }, { sessionEnd }, line) {
  const at = x(sessionEnd);
  const path = `M${at} ${line(0) - 1}v${3 * lineHeight}`;
  parts.push(`<path d="${path}" class="session-end"><title>its session ended</title></path>`);
}

function drawMissing(field, { from, until }, job) {
  const { x, parts, top } = field;
  drawHead(field, 'no launch', job === null ? '' : `job ${job}`);
  const title = `nothing, ${from} to ${until} s`;
  parts.push(rect(x(from), x(until), top + 6, groupHeight - 14, 'missing', title));
  label(field, x(from), x(until), top + 24, 'nothing came', '');
  field.top += groupHeight;
}

function drawBreach({ x, right, parts }, at, height) {
  const from = x(at);
  const isLate = from > right - 60;
  parts.push(
    `<path d="M${from.toFixed(1)} 0V${height}" class="violation-line"/>`,
    svgText(from + (isLate ? -4 : 4), 10, 'broken', 'broken', isLate ? 'end' : 'start'),
  );
}
