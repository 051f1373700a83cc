import type { ComponentChildren, JSX } from 'preact';
import { Word } from './word.tsx';

interface CardsProps {
  /** What is listed. */
  readonly label: string;
  /** Of the columns; that of `Actions` is only read out. */
  readonly heads: readonly string[];
  /** Says how wide each column is, by its style. */
  readonly class: string;
  readonly children: ComponentChildren;
}

/**
 * A table of which a row may have several lines; on a narrow screen a card, in which each value
 * says by `data-label` what it is.
 */
export function Cards({ children, class: name, heads, label }: CardsProps): JSX.Element {
  return (
    <div class={`cards ${name}`} role="table" aria-label={label}>
      <div role="rowgroup" class="heads">
        <div role="row" class="row">
          {heads.map((head) => (
            <div key={head} role="columnheader">
              {head === 'Actions' ? <span class="unseen">{head}</span> : <Word text={head} />}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup">{children}</div>
    </div>
  );
}

/** How much of its room is taken. */
export function Load({ most, taken }: { readonly most: number; readonly taken: number }) {
  return (
    <>
      <span>
        {taken} of {most}
      </span>
      <progress max={most} value={Math.min(most, taken)} aria-label="Room that is taken" />
    </>
  );
}
