import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { wrapsOutput } from '../state/choices.ts';
import { memo } from './memo.ts';
import { OutputFind } from './outputFind.tsx';
import type { Block, OutputText, Piece } from './outputText.ts';

interface OutputProps {
  readonly output: OutputText;
  /** It is being written: its end stays in view while the reader is there. */
  readonly isLive: boolean;
  /** Where the bytes are, as they were written. */
  readonly download: { readonly href: string; readonly name: string };
  /** What is to be said of it: cut, expired, lost. */
  readonly notes: readonly string[];
}

/** So near the end the reader is at the end, in pixels. */
const endPixels = 40;

/** What a run wrote. */
export function OutputView({ output, isLive, download, notes }: OutputProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const version = useComputed(() => output.version.value).value;
  useLayoutEffect(() => {
    if (isLive && isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [version, isLive]);
  const onScroll = () => {
    const { clientHeight = 0, scrollHeight = 0, scrollTop = 0 } = box.current ?? {};
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < endPixels;
  };
  const isWrapped = wrapsOutput.value === 'on';
  return (
    <div class="output">
      <div class="output-bar">
        <OutputFind box={box} version={version} />
        <button
          type="button"
          class="button quiet"
          aria-pressed={isWrapped}
          onClick={() => {
            wrapsOutput.value = isWrapped ? 'off' : 'on';
          }}
        >
          <Icon name="wrap" />
          <span>Wrap lines</span>
        </button>
        <a class="button quiet" href={download.href} download={download.name}>
          <Icon name="download" />
          <span>Download</span>
        </a>
      </div>
      {notes.map((note) => (
        <p key={note} class="output-note">
          {note}
        </p>
      ))}
      {output.droppedLines > 0 && (
        <p class="output-note">
          The first {output.droppedLines} lines are not shown here; the download has what is kept.
        </p>
      )}
      <div
        ref={box}
        class={`lines${isWrapped ? ' wraps' : ''}`}
        tabIndex={0}
        role="region"
        aria-label="Output"
        onScroll={onScroll}
      >
        {output.blocks.map((block, place) => (
          <WholeBlock key={place + output.droppedLines} block={block} />
        ))}
        <pre>{output.open.map(pieceText)}</pre>
      </div>
    </div>
  );
}

const WholeBlock = memo(({ block }: { readonly block: Block }) => (
  <pre class="whole">{block.map(pieceText)}</pre>
));

function pieceText({ background, classes, colour, text }: Piece, place: number) {
  if (classes === '' && colour === null && background === null) return text;
  const style = {
    ...(colour === null ? {} : { color: colour }),
    ...(background === null ? {} : { backgroundColor: background }),
  };
  return (
    <span key={place} class={classes} style={style}>
      {text}
    </span>
  );
}
