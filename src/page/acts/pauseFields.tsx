import type { JSX } from 'preact';
import { type End, EndFields } from './endFields.tsx';

/** What the node has room for. */
const noteCharactersMax = 80;

/** Until when a pause is, and why. */
export function PauseFields({ end, says }: { readonly end: End; says: string }): JSX.Element {
  return <EndFields {...{ end, noteCharactersMax, says }} forGood="until it is resumed" />;
}

/** What a pause that is asked for so says to the node: who made it is kept, also without a note. */
export function bodyOfPause({ note, until }: End) {
  return { note: note.trim(), ...(until === '' ? {} : { until }) };
}
