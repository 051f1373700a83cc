import type { JSX } from 'preact';
import { type End, EndFields, untilOf } from './endFields.tsx';

/** What the node has room for. */
const noteCharactersMax = 80;

interface FieldsProps {
  readonly end: End;
  readonly says: string;
  /** How it ends where it has no end. */
  readonly resumed: 'it is resumed' | 'they are resumed';
}

/** Until when a pause is, and why. */
export function PauseFields({ end, resumed, says }: FieldsProps): JSX.Element {
  return <EndFields {...{ end, noteCharactersMax, says }} forGood={`until ${resumed}`} />;
}

/** What a pause that is asked for so says to the node: who made it is kept, also without a note. */
export function bodyOfPause(end: End) {
  const until = untilOf(end);
  return { note: end.note.trim(), ...(until === '' ? {} : { until }) };
}
