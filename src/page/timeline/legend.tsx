import type { JSX } from 'preact';

const signs = {
  'run good': ['M1 17v-10H14v10z', 'succeeded'],
  'run work': ['M1 17v-10H14v10z', 'running'],
  'run bad': ['M1 17v-16H14v16z', 'failed, timed out, lost'],
  'run doubt': ['M1 17v-13H14v13z', 'missed, not started'],
  'run quiet': ['M1 17v-4H14v4z', 'skipped, stopped'],
  next: ['M4 11v6M10 11v6', 'ticks to come'],
  rest: ['M0 16h15', 'more'],
  now: ['M7 0v18', 'now'],
  revision: ['M7 0v18', 'new revision'],
} as const;

/**
 * What the shapes mean; the colours say the same.
 * @param bar of what time a bar of many runs is; null: there is none
 */
export function Legend({ bar = null }: { readonly bar?: string | null }): JSX.Element {
  return (
    <ul class="legend quiet">
      {Object.entries(signs).map(([sign, [path, word]]) => (
        <li key={sign}>
          <svg width="15" height="18" aria-hidden="true">
            <path class={sign} d={path} />
          </svg>
          {word}
        </li>
      ))}
      {bar !== null && <li title="All runs of that time: the more, the higher">{bar} a bar</li>}
    </ul>
  );
}
