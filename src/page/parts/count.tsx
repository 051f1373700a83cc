import type { JSX } from 'preact';

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
      <strong class={count === '0' ? 'rest' : tone}>{count}</strong> <span>{word}</span>
    </>
  );
  return <li>{to === undefined ? <span>{inside}</span> : <a href={to}>{inside}</a>}</li>;
}
