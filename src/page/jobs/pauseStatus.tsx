import type { JSX } from 'preact';
import type { Answer } from '../api/callApi.ts';
import { Time } from '../parts/timeText.tsx';
import { showLine } from '../text/showControls.ts';
import { PausedUntil } from './pauseLines.tsx';

interface StatusProps {
  readonly pause: NonNullable<Answer<'GET /jobs/{job}'>['pause']>;
}

/** By whom, since when and until when it is paused, and why. */
export function PauseStatus({ pause }: StatusProps): JSX.Element {
  const { by, note, since, until } = pause;
  return (
    <span class="quiet held" title={showLine(`paused${whoAndWhy(pause)}`)}>
      {by !== '' && `by ${showLine(by)} `}since <Time at={since} />,{' '}
      <PausedUntil until={until} resumed="it is resumed" />
      {note !== '' && `: ${showLine(note)}`}
    </span>
  );
}

/** Behind what was done: by whom and why, as far as that is kept. */
export function whoAndWhy({ by, note }: { readonly by: string; readonly note: string }): string {
  return `${by === '' ? '' : ` by ${by}`}${note === '' ? '' : `: ${note}`}`;
}
