import type { JSX } from 'preact';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { Section } from '../../parts/section.tsx';
import { Until } from '../../parts/timeText.tsx';
import { formatFullTime, isKnownZone, localZone, zoneName } from '../../text/formatTime.ts';
import type { ShownJob } from './shownJob.ts';

/** The next ten ticks in the job's zone, the reader's and UTC. */
export function NextTicks({ job }: { readonly job: ShownJob }): JSX.Element {
  const ticks = useResource(`${job.jobId}-${job.revision}-${job.paused}`, {
    read: (signal) =>
      callApi('GET /jobs/{job}/next', { path: { job: job.job }, query: { count: '10' }, signal }),
    isAbout: (event) => event.type.startsWith('run.') && 'job' in event && event.job === job.job,
  });
  const { timezone } = job.definition;
  const zones = [...new Set([timezone, localZone, 'UTC'])].filter(isKnownZone);
  return (
    <Section title="Next ticks">
      <Loaded of={ticks} lines={11}>
        {({ next }) =>
          next.length === 0 ? (
            <p class="quiet">
              {job.paused ? 'None while the job is paused.' : 'Its schedule names none.'}
            </p>
          ) : (
            <Scrolls label="Next ticks">
              <table>
                <thead>
                  <tr>
                    <th scope="col">In</th>
                    {zones.map((zone) => (
                      <th key={zone} scope="col">
                        {zone}
                        {zone === timezone && <span class="quiet"> (the job's)</span>}
                        {zone === localZone && zone !== timezone && (
                          <span class="quiet"> (yours)</span>
                        )}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {next.map((at) => (
                    <tr key={at}>
                      <td class="nowrap">
                        <Until at={at} />
                      </td>
                      {zones.map((zone) => (
                        <td key={zone} class="nowrap number">
                          {formatFullTime(Date.parse(at), zone)}{' '}
                          <span class="quiet">{zoneName(zone, Date.parse(at))}</span>
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scrolls>
          )
        }
      </Loaded>
    </Section>
  );
}
