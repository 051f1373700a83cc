import type { JSX } from 'preact';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { ZoneName } from '../../parts/timeText.tsx';
import { goTo, linkTo } from '../../state/place.ts';
import { Legend } from '../../timeline/legend.tsx';
import { TimeAxis } from '../../timeline/timeAxis.tsx';
import { Track } from '../../timeline/track.tsx';

const bins = 144;

/** The last day of a job, and the hour to come. */
export function JobTimeline({ job }: { readonly job: string }): JSX.Element {
  const timeline = useResource(job, {
    read: (signal) => callApi('GET /timeline', { query: { name: job, bins: `${bins}` }, signal }),
    isAbout: (event) => event.type.startsWith('run.') && 'job' in event && event.job === job,
  });
  const title = (
    <>
      Last 24 hours{' '}
      <span class="quiet">
        (<ZoneName />)
      </span>
    </>
  );
  const all = linkTo(['timeline'], { text: job });
  return (
    <Section title={title} tools={<a href={all}>Show the timeline</a>}>
      <Loaded of={timeline} lines={6}>
        {({ from, items: [shown], now, until }) => {
          const range = { fromMs: Date.parse(from), untilMs: Date.parse(until) };
          const zoom = (ms: number) => {
            const end = new Date(Math.round(ms + 1_800_000)).toISOString();
            goTo(['timeline'], { text: job, window: '1h', until: end });
          };
          return shown === undefined ? (
            <p class="quiet">Nothing is known of it.</p>
          ) : (
            <>
              <TimeAxis range={range} most={4} />
              <Track job={shown} nowMs={Date.parse(now)} onZoom={zoom} {...{ bins, range }} />
              <Legend />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
