import type { JSX } from 'preact';
import { countOf } from '../text/formatNumber.ts';
import { showLine } from '../text/showControls.ts';

const namesMax = 10;

interface NamesProps {
  /** The first of them, or all. */
  readonly names: readonly string[];
  readonly count: number;
}

/** Which jobs a question is about: some by their names, and how many more. */
export function NamesOf({ count, names }: NamesProps): JSX.Element {
  const more = count - Math.min(namesMax, names.length);
  return (
    <ul class="names">
      {names.slice(0, namesMax).map((job) => (
        <li key={job}>{showLine(job)}</li>
      ))}
      {more > 0 && <li class="quiet">and {countOf(more, 'more job')}</li>}
    </ul>
  );
}
