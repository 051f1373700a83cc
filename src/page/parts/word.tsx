import type { JSX } from 'preact';
import { meaningOf } from '../text/meanings.ts';

interface WordProps {
  readonly text: string;
  /** Absent: what the page's table of words has. */
  readonly meaning?: string | undefined;
}

/** A word that says what it means, when it is pointed at; the help has all of them. */
export function Word({ text, meaning = meaningOf(text) }: WordProps): JSX.Element {
  if (meaning === undefined) return <>{text}</>;
  return (
    <span class="word" title={meaning}>
      {text}
    </span>
  );
}
