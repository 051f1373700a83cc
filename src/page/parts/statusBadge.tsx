import type { JSX } from 'preact';
import { nowMs } from '../state/clock.ts';
import { meaningOf } from '../text/meanings.ts';

/**
 * What a run, a slot or a job is like, as a shape, a word and a colour: nobody has to see the
 * colour. `tone` says which: what waits is no trouble, and so not red.
 */
const statuses = {
  succeeded: { word: 'succeeded', tone: 'good', shape: 'm4.6 8.2 2.3 2.3 4.5-4.8' },
  failed: { word: 'failed', tone: 'bad', shape: 'm5.2 5.2 5.6 5.6m0-5.6-5.6 5.6' },
  timed_out: { word: 'timed out', tone: 'bad', shape: 'M8 4.6V8l2.3 1.7' },
  stopped: { word: 'stopped', tone: 'quiet', shape: 'M6 6h4v4H6z' },
  lost: {
    word: 'lost',
    tone: 'bad',
    shape: 'M6.4 6.3a1.7 1.7 0 1 1 2.3 1.6c-.5.2-.7.5-.7 1m0 1.9v.2',
  },
  not_started: { word: 'not started', tone: 'doubt', shape: 'M5 8h6' },
  skipped: { word: 'skipped', tone: 'quiet', shape: 'm5.4 5.4 2.6 2.6-2.6 2.6m5-5.2v5.2' },
  missed: { word: 'missed', tone: 'doubt', shape: 'M8 4.8v3.8m0 2.2v.2' },
  running: { word: 'running', tone: 'work', shape: 'M6.6 5.2v5.6L11 8z' },
  stopping: { word: 'stopping', tone: 'doubt', shape: 'M6 6h4v4H6z' },
  waiting: { word: 'waiting', tone: 'prepare', shape: 'M5.2 8h.1m2.7 0h.1m2.6 0h.1' },
  prepared: { word: 'prepared', tone: 'prepare', shape: 'M5.2 8h.1m2.7 0h.1m2.6 0h.1' },
  idle: { word: 'idle', tone: 'rest', shape: 'M8 8h.1' },
  paused: { word: 'paused', tone: 'doubt', shape: 'M6.6 5.6v4.8m2.8-4.8v4.8' },
  cannot_run: { word: 'cannot run', tone: 'bad', shape: 'm4.5 11.5 7-7' },
  observed: {
    word: 'observed',
    tone: 'prepare',
    shape: 'M4.4 8c2-3.2 5.2-3.2 7.2 0-2 3.2-5.2 3.2-7.2 0M8 8h.1',
  },
  live: { word: 'live', tone: 'good', shape: 'm4.6 8.2 2.3 2.3 4.5-4.8' },
  draining: { word: 'draining', tone: 'drain', shape: 'M8 4.8v5.4m0 0L5.9 8.1M8 10.2l2.1-2.1' },
  cordoned: { word: 'cordoned', tone: 'doubt', shape: 'm5 5 6 6m-6 0h6' },
  ended: { word: 'ended', tone: 'quiet', shape: 'M5 8h6' },
  none: { word: 'no run yet', tone: 'rest', shape: 'M8 8h.1' },
} as const;

export type Status = keyof typeof statuses;

interface BadgeProps {
  readonly status: Status;
  /** Instead of its own word. */
  readonly word?: string;
  readonly title?: string;
}

export function StatusBadge({ status, word, title }: BadgeProps): JSX.Element {
  const { shape, tone, word: own } = statuses[status];
  const shown = word ?? own;
  const name = `status ${tone}${status === 'running' ? ' moves' : ''}`;
  return (
    <span class={name} title={title ?? meaningOf(shown)}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {status === 'running' ? <Turning /> : tone !== 'rest' && <circle {...circle} />}
        <path d={shape} />
      </svg>
      {shown}
    </span>
  );
}

const circle = { cx: '8', cy: '8', r: '7' };

/** It turns with the clock: an animation would have the browser draw all the time. */
function Turning(): JSX.Element {
  const eighths = (nowMs.value / 1_000) % 8;
  return <circle {...circle} transform={`rotate(${45 * eighths} 8 8)`} />;
}

/** The word and the colour of a status, for what is drawn in another way. */
export function statusLook(status: Status): { readonly word: string; readonly tone: string } {
  return statuses[status];
}
