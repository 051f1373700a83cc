import type { JSX } from 'preact';
import type { Answer } from '../api/callApi.ts';
import { formatDuration } from '../text/formatDuration.ts';
import { type Status, statusLook } from './statusBadge.tsx';

type Stats = NonNullable<Answer<'GET /jobs'>['items'][number]['stats']>;

const runsMax = 20;
const [barPixels, gapPixels, heightPixels] = [3, 2, 14];

/** How high a bar is: what failed is seen by its height, too, and what did not run is a dot. */
const heights: Readonly<Record<string, number>> = { good: 8, bad: 14, doubt: 3, quiet: 3 };

/** The last runs as bars, the newest at the right. */
export function RunStrip({ runs }: { readonly runs: Stats['recent'] }): JSX.Element {
  if (runs.length === 0) return <span class="none">–</span>;
  const paths = new Map<string, string>();
  const counts = new Map<Status, number>();
  for (const [place, { result }] of runs.entries()) {
    const { tone } = statusLook(result);
    const left = (runsMax - 1 - place) * (barPixels + gapPixels);
    const height = heights[tone] ?? 3;
    const bar = `M${left} ${heightPixels}v-${height}h${barPixels}v${height}z`;
    paths.set(tone, `${paths.get(tone) ?? ''}${bar}`);
    counts.set(result, (counts.get(result) ?? 0) + 1);
  }
  const words = [...counts].map(([status, count]) => `${count} ${statusLook(status).word}`);
  const width = runsMax * (barPixels + gapPixels) - gapPixels;
  const label = `Of the last ${runs.length}: ${words.join(', ')}`;
  return (
    <svg class="strip" width={width} height={heightPixels} role="img" aria-label={label}>
      <title>{label}</title>
      {[...paths].map(([tone, path]) => (
        <path key={tone} class={tone} d={path} />
      ))}
    </svg>
  );
}

/** `1.2 s, 3.4 s`: half of the last runs, and 95 of 100, took no longer. */
export function Percentiles({ stats }: { readonly stats: Stats | undefined }): JSX.Element {
  const { durationP50Ms = null, durationP95Ms = null } = stats ?? {};
  if (durationP50Ms === null || durationP95Ms === null) return <span class="none">–</span>;
  const title = 'Half of the last runs took no longer than the first, 95 of 100 than the second';
  return (
    <span title={title}>
      {formatDuration(durationP50Ms)}, {formatDuration(durationP95Ms)}
    </span>
  );
}
