import type { JSX } from 'preact';
import { answeredAtMs } from '../api/callApi.ts';
import { stream } from '../live/liveFeed.ts';
import { Icon } from '../parts/icons.tsx';
import { zone } from '../state/choices.ts';
import { isFrozen, nowMs } from '../state/clock.ts';
import { formatCountdown } from '../text/formatDuration.ts';
import { formatTime, zoneName } from '../text/formatTime.ts';

/** A reconnect that takes less is nobody's business. */
const silentMs = 5_000;

type Trouble = 'away' | 'stalled' | null;

/** What is wrong with what is shown, for more than a moment. */
function trouble(): Trouble {
  const { sinceMs, state } = stream.value;
  const isOver = state === 'live' || state === 'refused';
  // Looked at once a second, as the clock moves; it does not while the page is frozen.
  if (isOver || Math.max(nowMs.value, Date.now()) - sinceMs < silentMs) return null;
  return state === 'stalled' ? 'stalled' : 'away';
}

/** In the rail: whether what is shown is live. A click freezes it, and lets it go on. */
export function StreamNote(): JSX.Element {
  const problem = trouble();
  const [kind, word] = isFrozen.value
    ? ['frozen', 'Frozen']
    : problem === null
      ? ['live', 'Live']
      : ['old', problem === 'away' ? 'Not connected' : 'Database away'];
  return (
    <button
      type="button"
      class={`stream ${kind}`}
      aria-pressed={isFrozen.value}
      title={isFrozen.value ? 'Go on (.)' : 'Freeze what is shown (.)'}
      onClick={turnFrozen}
    >
      <span class="dot" />
      <span>{word}</span>
      {kind !== 'old' && <span class="act">{isFrozen.value ? 'Go on' : 'Freeze'}</span>}
      <Icon name={isFrozen.value ? 'play' : 'snow'} />
    </button>
  );
}

export function turnFrozen(): void {
  isFrozen.value = !isFrozen.value;
}

/** Above a screen whose contents are old: how old, and why. */
export function OldNote(): JSX.Element | null {
  const problem = trouble();
  if (isFrozen.value) {
    return (
      <div class="old-note frozen" role="status">
        <p>
          <strong>Frozen</strong> at {formatTime(nowMs.value, zone.value, nowMs.value)}{' '}
          {zoneName(zone.value, nowMs.value)}: nothing changes until you go on
          <span class="by-key">
            {' '}
            (<kbd>.</kbd>)
          </span>
          .
        </p>
        <button type="button" class="button plain" onClick={turnFrozen}>
          Go on
        </button>
      </div>
    );
  }
  if (problem === null) return null;
  const age = answeredAtMs.value === null ? 0 : Math.max(0, Date.now() - answeredAtMs.value);
  const since = Math.max(0, Math.max(nowMs.value, Date.now()) - stream.value.sinceMs);
  return (
    <div class="old-note" role="status">
      <p>
        <strong>
          {problem === 'away' ? 'This node does not answer' : 'The database does not answer'}
        </strong>{' '}
        for {formatCountdown(since)} now.
        {answeredAtMs.value !== null && ` What you see is ${formatCountdown(age)} old.`} It goes on
        by itself.
        {problem === 'away' && ' The page of any other node shows the same cluster.'}
      </p>
    </div>
  );
}
