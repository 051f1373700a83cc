import type { JSX } from 'preact';
import { Word } from '../../parts/word.tsx';
import { changeQuery, linkTo, place } from '../../state/place.ts';
import { meaningOf } from '../../text/meanings.ts';
import { clearSelection, selection } from './selection.ts';

/** The heads of the columns, in their order. */
export function jobHeads(): JSX.Element {
  const heads = [
    ...['State', 'Job', 'Schedule', 'Last result', 'Ended', 'Took', 'p50, p95', 'Last 20'],
    ...['Next tick', 'Actions'],
  ];
  return (
    <>
      <div role="columnheader" class="select">
        <SelectAll />
      </div>
      {heads.map((head) =>
        head === 'Job' ? (
          <NameHead key={head} />
        ) : (
          <div key={head} role="columnheader" class={classOf(head)}>
            <Head text={head} />
          </div>
        ),
      )}
    </>
  );
}

function Head({ text }: { readonly text: string }): JSX.Element {
  if (text === 'Actions') return <span class="unseen">{text}</span>;
  if (text !== 'Next tick') return <Word text={text} />;
  return (
    <a
      href={linkTo(['upcoming'], { within: '1d' })}
      title={`${meaningOf(text)} Upcoming has jobs in this order.`}
    >
      {text}
    </a>
  );
}

/** By their names they are put in order, one way and the other. */
function NameHead(): JSX.Element {
  const sort = place.value.query.get('sort') || 'name';
  const order = { name: 'ascending', '-name': 'descending' }[sort] as 'ascending' | undefined;
  return (
    <div role="columnheader" class="job" aria-sort={order ?? 'none'}>
      <button
        type="button"
        class="button quiet"
        title={sort === 'name' ? 'By name, Z to A' : 'By name, A to Z'}
        onClick={() => changeQuery({ sort: sort === 'name' ? '-name' : undefined })}
      >
        Job
      </button>
    </div>
  );
}

/** Of a column: `last-result`. */
function classOf(head: string): string {
  return head.toLowerCase().replaceAll(/\W+/g, '-');
}

function SelectAll(): JSX.Element {
  const isAll = selection.value === 'all';
  return (
    <label title="Select all jobs that match">
      <input
        type="checkbox"
        aria-label="Select all jobs that match"
        checked={isAll}
        onChange={() => {
          if (isAll) clearSelection();
          else selection.value = 'all';
        }}
      />
    </label>
  );
}
