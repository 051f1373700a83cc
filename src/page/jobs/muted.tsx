import type { JSX } from 'preact';
import type { Answer } from '../api/callApi.ts';
import { Icon } from '../parts/icons.tsx';
import { zone } from '../state/choices.ts';
import { quarter } from '../state/clock.ts';
import { formatTime, zoneName } from '../text/formatTime.ts';

export type Mute = Answer<'GET /notify/mutes'>['items'][number];

/** Until when the alerts of a job are muted, by its name or its group; null: they are not. */
export function mutedUntil(
  mutes: readonly Mute[],
  { group, job }: { readonly group: string; readonly job: string },
): string | null {
  const own = mutes.filter(({ kind, name }) => name === { job, group, target: null }[kind]);
  return (
    own
      .map(({ until }) => until)
      .sort()
      .at(-1) ?? null
  );
}

/** Beside the name of a job in a list. */
export function Muted({ until }: { readonly until: string }): JSX.Element {
  const ms = Date.parse(until);
  const end = `${formatTime(ms, zone.value, quarter.value)} ${zoneName(zone.value, ms)}`;
  return (
    <span class="muted" title={`Its alerts are muted until ${end}`}>
      <Icon name="mute" />
      <span class="unseen">muted</span>
    </span>
  );
}
