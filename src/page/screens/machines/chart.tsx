import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { readDrawing } from '../../api/readDrawing.ts';
import { useResource } from '../../api/useResource.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { Differences } from './differences.tsx';
import type { Mark } from './marks.ts';
import type { Arrow } from './rates.ts';

interface ChartProps {
  /** What is drawn. */
  readonly name: string;
  readonly marks: readonly Mark[];
  /** Counts of its transitions. */
  readonly arrows?: readonly Arrow[];
  /** What its name ends in where it is drawn several times. */
  readonly ofWhat?: string;
}

/** A drawing that is beside another shrinks to this part of its size, and then scrolls. */
const legible = 0.75;

const noArrows: readonly Arrow[] = [];

/** The drawing of a machine, with its current states highlighted. */
export function Chart({ arrows = noArrows, marks, name, ofWhat = '' }: ChartProps): JSX.Element {
  const holder = useRef<HTMLDivElement>(null);
  const drawing = useResource(`drawing of ${name}`, {
    read: (signal) => readDrawing(name, signal),
    everyMs: null,
  });
  const svg = drawing.data.value;
  useLayoutEffect(() => {
    if (svg === null) return;
    svg.style.minWidth = `${legible * svg.width.baseVal.value}px`;
    holder.current?.replaceChildren(svg);
  }, [svg]);
  useLayoutEffect(() => {
    if (svg === null) return;
    for (const old of svg.querySelectorAll('text.annotation')) old.remove();
    highlight(svg, marks);
    count(svg, arrows);
  }, [svg, marks, arrows]);
  return (
    <Loaded of={drawing} lines={16}>
      {(svg) => (
        <>
          <Scrolls label={`Drawing of ${name}${ofWhat}`}>
            <div class="chart" ref={holder} />
          </Scrolls>
          <Differences name={name} svg={svg} marks={marks} arrows={arrows} ofWhat={ofWhat} />
        </>
      )}
    </Loaded>
  );
}

/** Highlights the states of the marks, with their parents, and no other. */
function highlight(svg: SVGSVGElement, marks: readonly Mark[]): void {
  for (const box of svg.querySelectorAll<SVGGElement>('[data-state]')) {
    const state = box.dataset.state ?? '';
    const isIn = (mark: Mark) => mark.state === state || mark.state.startsWith(`${state}.`);
    const isActive = marks.some((mark) => mark.isActive && isIn(mark));
    box.classList.toggle('active', isActive);
    const text = marks.filter((mark) => mark.state === state).map((mark) => mark.text);
    if (text.length > 0) annotate(box, text.join(', '), onEdge);
  }
}

/** Gives arrows their counts; those that nothing has taken, or that are not there, are pale. */
function count(svg: SVGSVGElement, arrows: readonly Arrow[]): void {
  const byPath = new Map(arrows.map((arrow) => [arrow.path, arrow]));
  for (const part of svg.querySelectorAll<SVGGElement>('[data-arrow]')) {
    const arrow = byPath.get(part.dataset.arrow ?? '');
    const isNever = arrow === undefined ? arrows.length > 0 : arrow.count === 0;
    part.classList.toggle('never', isNever);
    const line = part.querySelector<SVGPathElement>('.line');
    const width = 1.5 + Math.min(4, Math.log2(1 + (arrow?.perSecond ?? 0)));
    if (line !== null) line.style.strokeWidth = `${width}px`;
    if (arrow !== undefined) annotate(part, arrow.text, belowLabel);
  }
}

/** How far below the lower edge of a box a text stands, in pixels. */
const onEdge = 4;
const belowLabel = 11;

/** Writes a text at the lower edge of a box, of a state or of an arrow's label. */
function annotate(box: SVGGElement, words: string, below: number): void {
  const frame = box.querySelector('rect');
  if (frame === null) return;
  const { height, width, x, y } = frame;
  const text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  text.classList.add('annotation');
  text.textContent = words;
  text.setAttribute('x', `${x.baseVal.value + width.baseVal.value / 2}`);
  text.setAttribute('y', `${y.baseVal.value + height.baseVal.value + below}`);
  box.append(text);
}
