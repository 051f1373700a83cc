import { useSignal } from '@preact/signals';
import type { JSX, RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { countOf } from '../text/formatNumber.ts';

interface FindProps {
  readonly box: RefObject<HTMLElement | null>;
  /** Of the output: with another one, it is searched anew. */
  readonly version: number;
}

const foundMax = 2_000;
/** What is typed is searched after a pause: an output may be long. */
const typingMs = 150;

/** Finds a text in the output, and leads from one place to the next. */
export function OutputFind({ box, version }: FindProps): JSX.Element {
  const text = useSignal('');
  const found = useSignal<readonly Range[]>([]);
  const at = useSignal(-1);
  useEffect(() => {
    const search = () => {
      found.value = box.current === null ? [] : findIn(box.current, text.value);
      mark(found.value);
    };
    const timer = setTimeout(search, typingMs);
    return () => clearTimeout(timer);
  }, [text.value, version, box, found]);
  useEffect(() => () => mark([]), []);
  const step = (by: number) => {
    const { length } = found.value;
    if (length === 0) return;
    at.value = (at.value + by + length) % length;
    found.value[at.value]?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
    const range = found.value[at.value];
    if (range !== undefined) showRange(range);
  };
  const { length } = found.value;
  const number = length >= foundMax ? `${foundMax} and more` : countOf(length, 'place');
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        step(1);
      }}
    >
      <label class="search">
        <Icon name="search" />
        <span class="unseen">Find in the output</span>
        <input
          type="search"
          placeholder="Find in the output"
          value={text.value}
          onInput={({ currentTarget: { value } }) => {
            text.value = value;
            at.value = -1;
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !event.shiftKey) return;
            event.preventDefault();
            step(-1);
          }}
          data-search
        />
      </label>
      <span class="quiet number" role="status">
        {text.value !== '' && (at.value < 0 ? number : `${at.value + 1} of ${number}`)}
      </span>
    </form>
  );
}

function findIn(box: HTMLElement, text: string): Range[] {
  const wanted = text.toLowerCase();
  const ranges: Range[] = [];
  if (wanted === '') return ranges;
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const content = (node.nodeValue ?? '').toLowerCase();
    for (let from = content.indexOf(wanted); from >= 0; ) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, from + wanted.length);
      ranges.push(range);
      if (ranges.length >= foundMax) return ranges;
      from = content.indexOf(wanted, from + wanted.length);
    }
  }
  return ranges;
}

/** Where the browser can, the places are coloured without a change of the document. */
function mark(ranges: readonly Range[]): void {
  if (typeof Highlight === 'undefined') return;
  CSS.highlights.set('found', new Highlight(...ranges));
}

function showRange(range: Range): void {
  const box = range.startContainer.parentElement?.closest('.lines');
  const { top } = range.getBoundingClientRect();
  if (box) box.scrollTop += top - box.getBoundingClientRect().top - box.clientHeight / 3;
  if (typeof Highlight !== 'undefined') CSS.highlights.set('found-here', new Highlight(range));
}
