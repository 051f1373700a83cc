/** One line that a terminal showed. */
export interface ShownLine {
  /** Milliseconds since the beginning. */
  readonly atMs: number;
  /** `typed` (a command), its `output`, a `remark`, or the name of the node that said it. */
  readonly source: string;
  readonly text: string;
}

const [columnWidth, lineHeight, fontSize, margin, barHeight] = [7.83, 19, 13, 16, 34];
/** How much faster than it was it is played, and how long the last picture stands. */
const speed = 2;
const restMs = 9_000;

/**
 * A picture of a terminal in which the lines appear one after the other, at the times at which they
 * came. Where nothing moves (a printer, a reader who wants no motion) all lines are there at once.
 */
export function terminalSvg(title: string, lines: readonly ShownLine[], columns: number): string {
  const width = Math.ceil(columns * columnWidth + 2 * margin);
  const height = barHeight + lines.length * lineHeight + margin + 6;
  const lastMs = Math.max(0, ...lines.map(({ atMs }) => atMs));
  const wholeMs = lastMs / speed + restMs;
  const rows = lines.map((line, place) => rowOf(line, place, wholeMs));
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const frame = `width="${width - 1}" height="${height - 1}" rx="9"`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title">`,
    `<title id="title">${title}</title>`,
    `<style>${styles(wholeMs)}${rows.map(({ style }) => style).join('')}</style>`,
    `<rect x="0.5" y="0.5" ${frame} fill="#161b22" stroke="#444c56"/>`,
    ...['#f4605a', '#f9bd2e', '#2ac840'].map(
      (colour, place) => `<circle cx="${20 + place * 19}" cy="18" r="5.5" fill="${colour}"/>`,
    ),
    `<text x="${width / 2}" y="22" class="bar">${title}</text>`,
    ...rows.map(({ element }) => element),
    '</svg>',
  ].join('\n')}\n`;
}

function styles(wholeMs: number): string {
  const duration = `${Math.round(wholeMs)}ms`;
  return [
    `text{font:${fontSize}px ${fonts};fill:#d1d7e0;white-space:pre}`,
    '.bar{fill:#9198a1;text-anchor:middle}',
    '.time,.remark{fill:#7d8590}.typed{fill:#ffffff;font-weight:bold}',
    '.good{fill:#57d273}.bad{fill:#ff7b72}.late{fill:#e3b341}',
    ...nodeColours.map((colour, place) => `.node${place}{fill:${colour}}`),
    `.row{animation:${duration} step-end infinite}`,
    '@media (prefers-reduced-motion:reduce){.row{animation:none}}',
  ].join('');
}

const fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
const nodeColours = ['#6cb6ff', '#dcbdfb', '#f69d50', '#96d0ff'];

function rowOf({ atMs, source, text }: ShownLine, place: number, wholeMs: number) {
  const share = ((atMs / speed / wholeMs) * 100).toFixed(2);
  const isFirst = Number(share) === 0;
  const y = barHeight + (place + 1) * lineHeight;
  const parts = [
    `<tspan class="time">${escapeText(`${clock(atMs)}  `)}</tspan>`,
    ...partsOf(source, text),
  ];
  const row = `r${place}`;
  const frames = `0%{opacity:0}${share}%{opacity:1}to{opacity:1}`;
  return {
    style: isFirst ? '' : `.${row}{animation-name:${row}}@keyframes ${row}{${frames}}`,
    element: `<text x="${margin}" y="${y}" ${kept} class="row ${row}">${parts.join('')}</text>`,
  };
}

/** Some programs drop even blanks that do not break at the end of a part. */
const kept = 'xml:space="preserve"';

function partsOf(source: string, text: string): string[] {
  if (source === 'typed') return [tspan('good', '$ '), tspan('typed', text)];
  if (source === 'remark') return [tspan('remark', text)];
  if (source === 'output') return coloured(text);
  const number = Number(/\d+$/.exec(source)?.[0] ?? 0);
  const node = `node${number % nodeColours.length}`;
  return [tspan(node, `${source} │ `), ...coloured(text)];
}

/** The words for how a run ended have the colours that a person expects. */
function coloured(text: string): string[] {
  return text.split(/\b(succeeded|lost|missed|No promise is broken)\b/).map((part) => {
    if (part === 'lost') return tspan('bad', part);
    if (part === 'missed') return tspan('late', part);
    if (part === 'succeeded' || part.startsWith('No promise')) return tspan('good', part);
    return tspan('', part);
  });
}

function tspan(name: string, text: string): string {
  return name === '' ? escapeText(text) : `<tspan class="${name}">${escapeText(text)}</tspan>`;
}

function clock(atMs: number): string {
  const seconds = atMs / 1000;
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
}

/** Blanks that do not collapse, for not every program knows white-space. */
function escapeText(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll(' ', '\u00a0');
}
