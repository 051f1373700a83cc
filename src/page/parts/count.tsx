import type { JSX } from 'preact';
import { Word } from './word.tsx';

interface CountProps {
  readonly word: string;
  readonly count: string;
  readonly tone: string;
  readonly to?: string;
}

/** A number that leads to what it counts. */
export function Count({ word, count, tone, to }: CountProps): JSX.Element {
  const inside = (
    <>
      <strong class={count === '0' ? 'rest' : tone}>{count}</strong>{' '}
      <span>
        <Word text={word} />
      </span>
    </>
  );
  return <li>{to === undefined ? <span>{inside}</span> : <a href={to}>{inside}</a>}</li>;
}
