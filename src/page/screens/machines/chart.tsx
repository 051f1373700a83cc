import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { readDrawing } from '../../api/readDrawing.ts';
import { useResource } from '../../api/useResource.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import type { Mark } from './marks.ts';

interface ChartProps {
  /** What is drawn. */
  readonly name: string;
  readonly marks: readonly Mark[];
}

/** The drawing of a machine, with its current states highlighted. */
export function Chart({ marks, name }: ChartProps): JSX.Element {
  const holder = useRef<HTMLDivElement>(null);
  const drawing = useResource(`drawing of ${name}`, {
    read: (signal) => readDrawing(name, signal),
    everyMs: null,
  });
  const svg = drawing.data.value;
  useLayoutEffect(() => {
    if (svg !== null) holder.current?.replaceChildren(svg);
  }, [svg]);
  useLayoutEffect(() => {
    if (svg !== null) highlight(svg, marks);
  }, [svg, marks]);
  return (
    <Loaded of={drawing} lines={16}>
      {() => (
        <Scrolls label={`Drawing of ${name}`}>
          <div class="chart" ref={holder} />
        </Scrolls>
      )}
    </Loaded>
  );
}

/** Highlights the states of the marks, with their parents, and no other. */
function highlight(svg: SVGSVGElement, marks: readonly Mark[]): void {
  for (const old of svg.querySelectorAll('text.annotation')) old.remove();
  for (const box of svg.querySelectorAll<SVGGElement>('[data-state]')) {
    const state = box.dataset.state ?? '';
    const isIn = (mark: Mark) => mark.state === state || mark.state.startsWith(`${state}.`);
    const isActive = marks.some((mark) => mark.isActive && isIn(mark));
    box.classList.toggle('active', isActive);
    const text = marks.filter((mark) => mark.state === state).map((mark) => mark.text);
    if (text.length > 0) annotate(box, text.join(', '));
  }
}

/** Writes a text on the lower edge of a state's box. */
function annotate(box: SVGGElement, words: string): void {
  const frame = box.querySelector('rect');
  if (frame === null) return;
  const { height, width, x, y } = frame;
  const text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  text.classList.add('annotation');
  text.textContent = words;
  text.setAttribute('x', `${x.baseVal.value + width.baseVal.value / 2}`);
  text.setAttribute('y', `${y.baseVal.value + height.baseVal.value + 4}`);
  box.append(text);
}
